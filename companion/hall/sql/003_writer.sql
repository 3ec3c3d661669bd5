-- Which hall writes: each that begins takes the next term, and what is asked under an older one is refused.
create table hall_writer (
    one boolean primary key default true check (one),
    term bigint not null
);
comment on table hall_writer is 'one row: a hall that slept while another one began must not write from what it remembers';
insert into hall_writer (term) values (0);
