-- A tournament: who checked in, who was drawn to which table, and what came of it. A result is never
-- changed: a correction is its next version.
create table tournament (
    id integer primary key generated always as identity,
    name text not null,
    begun_at timestamptz not null default now(),
    ended_at timestamptz,
    check_in_code text
);
comment on column tournament.check_in_code is 'stands on the hall''s screen while people may check in; null while they may not';

create table tournament_participant (
    id integer primary key generated always as identity,
    tournament_id integer not null references tournament,
    name text not null,
    known_by text not null,
    token_hash text unique,
    gone boolean not null default false,
    checked_in_at timestamptz not null default now(),
    unique (tournament_id, known_by)
);
comment on column tournament_participant.token_hash is 'of the phone that checked in; null for whom the host wrote down';

create table tournament_heat (
    tournament_id integer not null references tournament,
    heat integer not null,
    drawn_at timestamptz not null default now(),
    closed_at timestamptz,
    primary key (tournament_id, heat)
);

create table tournament_seat (
    tournament_id integer not null,
    heat integer not null,
    participant_id integer not null references tournament_participant,
    table_id text references hall_table,
    seat integer not null,
    after_evening integer not null,
    primary key (tournament_id, heat, participant_id),
    foreign key (tournament_id, heat) references tournament_heat
);
comment on column tournament_seat.table_id is 'null for a bye';
comment on column tournament_seat.after_evening is 'the newest evening of the table when it was drawn: only later ones count';

create table tournament_result (
    tournament_id integer not null,
    heat integer not null,
    participant_id integer not null,
    version integer not null,
    clouds integer not null,
    found integer not null,
    told_by text not null check (told_by in ('table', 'host')),
    told_at timestamptz not null default now(),
    primary key (tournament_id, heat, participant_id, version),
    foreign key (tournament_id, heat, participant_id) references tournament_seat
);
