-- The tables that were let in, and every entry they sent, once. An entry is never changed.
create table hall_table (
    id text primary key,
    number integer generated always as identity unique,
    name text not null default '',
    token_hash text not null unique,
    revoked boolean not null default false,
    counts boolean not null default true,
    let_in_at timestamptz not null default now()
);
comment on column hall_table.number is 'what people call it: table 7';
comment on column hall_table.counts is 'false once the host set the table aside: its evenings count for nobody';

create table entry (
    table_id text not null references hall_table,
    evening integer not null,
    number integer not null,
    entry jsonb not null,
    arrived_at timestamptz not null default now(),
    primary key (table_id, evening, number)
);

create table refused_entry (
    id bigint generated always as identity primary key,
    table_id text not null references hall_table,
    evening integer not null,
    number integer not null,
    entry jsonb not null,
    arrived_at timestamptz not null default now()
);
comment on table refused_entry is 'another entry came under a number that was known: kept for the host, counted never';
create index on refused_entry (table_id);

-- Entries hold pseudonyms only. A name is kept here while its table shows it, and can be taken back.
create table person (
    table_id text not null references hall_table,
    pseudonym text not null,
    name text not null,
    primary key (table_id, pseudonym)
);
