-- Which hall writes: each that begins writes down a term of its own, and what is asked under another one is refused.
create table hall_writer (
    one boolean primary key default true check (one),
    term text not null
);
comment on table hall_writer is 'one row, random for each hall, since a counter comes back with a backup: a hall that slept while another one began must not write from what it remembers';
insert into hall_writer (term) values ('');
