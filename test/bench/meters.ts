import * as fs from "node:fs";
import pg from "pg";
import type { TestService } from "../support/service.ts";

/** What a piece of work cost outside of this process. */
export interface Cost {
  wallMs: number;
  /** User and system time, all threads of the Worker's process. */
  workerMs: number;
  /** The same of every process of Postgres, those included that ended meanwhile. */
  postgresMs: number;
  walBytes: number;
  roundTrips: number;
}

/** Row versions that were written, of which `hot` touched no index. */
export interface Writes {
  inserted: number;
  updated: number;
  hot: number;
}

export interface Meter {
  measure(work: () => Promise<unknown>): Promise<Cost>;
  /** By table, since the meter was opened. Only while nothing uses the database: it ends the sessions, which report when they end. */
  writes(): Promise<Map<string, Writes>>;
}

/** Asked by connections of its own, whose work is not counted as writes. */
export async function openMeter({ stack, worker }: TestService, watcher: pg.Pool): Promise<Meter> {
  const { rows } = await watcher.query("select pg_backend_pid() as pid");
  const postmaster = parentOf(rows[0].pid);
  const walBytes = async () =>
    Number((await watcher.query("select pg_current_wal_lsn() - '0/0'::pg_lsn as n")).rows[0].n);
  const before = await writtenRows(watcher);
  return {
    async measure(work) {
      stack.neon.log.clear();
      const [worker0, postgres0, wal0] = [
        cpuMs(worker().pid),
        familyCpuMs(postmaster),
        await walBytes(),
      ];
      const startedAt = performance.now();
      await work();
      return {
        wallMs: performance.now() - startedAt,
        workerMs: cpuMs(worker().pid) - worker0,
        postgresMs: familyCpuMs(postmaster) - postgres0,
        walBytes: (await walBytes()) - wal0,
        roundTrips: stack.neon.log.entries().length,
      };
    },
    async writes() {
      const after = await writtenRows(watcher);
      return new Map(
        [...after].map(([table, { inserted, updated, hot }]) => {
          const was = before.get(table) ?? { inserted: 0, updated: 0, hot: 0 };
          return [
            table,
            {
              inserted: inserted - was.inserted,
              updated: updated - was.updated,
              hot: hot - was.hot,
            },
          ];
        }),
      );
    },
  };
}

async function writtenRows(watcher: pg.Pool): Promise<Map<string, Writes>> {
  await watcher.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name <> $1`,
    [watcher.options.application_name],
  );
  const { rows } = await watcher.query(
    `select relname as table, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_hot_upd::int as hot
     from pg_stat_user_tables where n_tup_ins + n_tup_upd > 0 order by relname`,
  );
  return new Map(rows.map(({ table, ...writes }) => [table, writes]));
}

/** Fields of /proc/<pid>/stat behind the command's name, which may hold blanks: state is the first (proc(5)). */
function statOf(pid: number): string[] {
  const text = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

const parentOf = (pid: number): number => Number(statOf(pid)[1]);

/** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
const TICK_MS = 10;

export const cpuMs = (pid: number): number => sum(statOf(pid).slice(11, 13)) * TICK_MS;

/** Processor time of all threads of a process, to the nanosecond (Linux: /proc/<pid>/task/<tid>/schedstat, sched-stats.rst); that of threads that have ended is not in it. */
export function processorMs(pid: number): number {
  const threads = fs.readdirSync(`/proc/${pid}/task`);
  const used = threads.map((thread) =>
    Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")[0]),
  );
  return used.reduce((total, nanoseconds) => total + nanoseconds, 0) / 1e6;
}

/** A process, its children, and those of its children that have ended. */
function familyCpuMs(pid: number): number {
  const ended = sum(statOf(pid).slice(13, 15)) * TICK_MS;
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ");
  const living = children.filter(Boolean).map((child) => cpuMs(Number(child)));
  return living.reduce((total, ms) => total + ms, cpuMs(pid) + ended);
}

const sum = (fields: string[]): number => fields.reduce((total, field) => total + Number(field), 0);
