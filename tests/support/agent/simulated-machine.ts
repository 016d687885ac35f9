/** One person's devices in a simulation: what happens to them, and the output of commands. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type PreparedResponse, type Started, built, start } from '../http/process.ts';
import { runOpbench } from './opbench.ts';
import { type SimulatedBoard, SET_BY_FILE, whileAt } from './simulated-board.ts';
import { type Network, reachedBy } from './simulated-network.ts';
import { type Session, type Tool, type Truth, aSession, resumed, tell } from '../logs/told.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SECOND_MS = 1000;
/** How long one piece of work takes. */
const WORK_MS = 10 * 60 * SECOND_MS;

/** Where tools keep logs, below a home folder. */
const LOGS = ['.claude', '.codex'];
const STATE = join('.config', 'opbench');
const INDEX = join('.cache', 'opbench');

/** The files of version 0.9 in the state folder. */
const KEPT_BY_0_9 = ['installation.json', 'boards', 'opbench.mjs', 'auto.ndjson'];
const KEPT_OF_BOARDS_BY_0_9 = [
  'identity.json',
  'outbox',
  'sent.json',
  'receipts.ndjson',
  'ranks.json',
];

/** The environment of a device: its board, the true counts that it adds to, and the folder for its home. */
export interface MachineOptions {
  board: SimulatedBoard;
  name: string;
  account: string;
  truth: Truth;
  folder: string;
}

/** How to work. */
interface Work {
  tool?: Tool;
  project?: string;
  /** The time of the last response, in milliseconds since the epoch. Default: after a while. */
  atMs?: number;
  /** Continues a session. */
  session?: Session;
}

/** The output of a command. */
export interface Said extends PreparedResponse {
  machine: string;
  /** In simulated time. */
  at: string;
  words: string;
}

export class Machine {
  readonly name: string;
  /** The machine ID; null if it has none. */
  system: string | null;
  account: string;
  truth: Truth;
  home: string;
  network: Network = 'whole';
  readonly said: Said[] = [];
  readonly #board: SimulatedBoard;
  #skewMs = 0;

  constructor({ board, name, account, truth, folder }: MachineOptions) {
    this.name = name;
    this.system = `machine-${folder}-${name}`;
    this.account = account;
    this.truth = truth;
    this.home = join(folder, name);
    mkdirSync(this.home, { recursive: true });
    this.#board = board;
  }

  /** The state folder. */
  get state(): string {
    return join(this.home, STATE);
  }

  /** The time of this device's clock. */
  nowMs(): number {
    return this.#board.clock.nowMs() + this.#skewMs;
  }

  /** Sets its clock ahead of the board's. */
  setAhead(ms: number): void {
    this.#skewMs = ms;
  }

  /**
   * A tool responds a number of times in a new session. Without a time, it takes a while, so that the responses are
   * later than all earlier ones.
   */
  work(count: number, { tool = 'claude-code', project, atMs, session }: Work = {}): Session {
    if (atMs === undefined) this.#board.clock.set(this.#board.clock.nowMs() + WORK_MS);
    const lastMs = Math.floor(atMs ?? this.nowMs() - 5 * SECOND_MS);
    const firstMs = lastMs - (count - 1) * 2 * SECOND_MS;
    const own = session ?? aSession(this.home, tool, firstMs - 2 * SECOND_MS, project);
    for (let at = firstMs; at <= lastMs; at += 2 * SECOND_MS) this.truth.add(tell(own, at));
    return own;
  }

  /** A tool copies a session's history into a new one. */
  resume(session: Session): Session {
    return resumed(session, this.home, Math.floor(this.nowMs() - 60 * SECOND_MS));
  }

  /** Runs the command in this process, at a fixed time of this device's clock. */
  async run(...words: string[]): Promise<Said> {
    const nowMs = this.nowMs();
    const change = reachedBy(this.network);
    const ended = await whileAt(nowMs, () => runOpbench(words, this.#environment, change));
    return this.#told(words, nowMs, ended);
  }

  /** Runs the built command in a separate process, with the clock of the board. */
  async runApart(...words: string[]): Promise<Said> {
    const said = this.#told(words, this.nowMs(), await this.#start(...words).finished);
    return expectDone(said);
  }

  #start(...words: string[]): Started {
    const env: Record<string, string> = {
      ...this.#environment,
      NODE_OPTIONS: `--import=${SET_BY_FILE}`,
      CLOCK_FILE: this.#board.clock.file,
    };
    return start(process.execPath, [built('opbench.mjs'), ...words], env);
  }

  get #environment(): Record<string, string> {
    return { HOME: this.home, ...(this.system !== null && { OPBENCH_MACHINE: this.system }) };
  }

  /** Runs a command that must succeed. */
  async does(...words: string[]): Promise<Said> {
    return expectDone(await this.run(...words));
  }

  /** Runs a command that must fail. */
  async fails(...words: string[]): Promise<Said> {
    const said = await this.run(...words);
    if (said.status === 0) throw new Error(`expected to fail:\n${transcriptOf([said])}`);
    return said;
  }

  async submit(...flags: string[]): Promise<Said> {
    return this.does('submit', ...flags);
  }

  async enroll(...flags: string[]): Promise<Said> {
    return this.does(...(await this.enrollment(...flags)));
  }

  /** The arguments that enroll this device. */
  async enrollment(...flags: string[]): Promise<string[]> {
    const code = await this.#board.codeFor(this.account);
    return ['enroll', code, '--board', this.#board.url, '--label', this.name, ...flags];
  }

  /** Kills a submission a number of milliseconds after its start. */
  async killed(afterMs: number): Promise<void> {
    const { child, finished } = this.#start('submit');
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    this.#told(['submit', `(killed after ${afterMs} ms)`], this.nowMs(), await finished);
    clearTimeout(timer);
  }

  #told(words: readonly string[], nowMs: number, ended: PreparedResponse): Said {
    const at = new Date(nowMs).toISOString().slice(0, 16);
    const said = { machine: this.name, at, words: words.join(' '), ...ended };
    this.said.push(said);
    return said;
  }

  /** All logs, oldest first. */
  logs(): string[] {
    const files = LOGS.flatMap((name) => {
      const root = join(this.home, name);
      if (!existsSync(root)) return [];
      const found = readdirSync(root, { recursive: true, encoding: 'utf8' });
      return found.map((path) => join(root, path)).filter((path) => path.endsWith('.jsonl'));
    });
    return files.sort((a, b) => writtenMs(a) - writtenMs(b) || (a < b ? -1 : 1));
  }

  /** The tools delete logs that were not modified for a number of days. */
  cleanUp(days = 0): void {
    const oldestMs = this.nowMs() - days * DAY_MS;
    this.logs()
      .filter((path) => writtenMs(path) < oldestMs)
      .forEach((path) => rmSync(path));
  }

  /** A container is recreated: only the state folder of its home remains. */
  startEmpty(): void {
    LOGS.forEach((name) => rmSync(join(this.home, name), { recursive: true, force: true }));
    this.loseIndex();
  }

  deleteSession({ path }: Session): void {
    rmSync(path);
  }

  /** Sets whose responses the tools log from now on, and who enrolls. */
  belongTo({ account, truth }: { account: string; truth: Truth }): void {
    this.account = account;
    this.truth = truth;
  }

  /** Deletes every second log. */
  cleanUpHalf(): void {
    this.logs()
      .filter((_, at) => at % 2 === 0)
      .forEach((path) => rmSync(path));
  }

  loseState(): void {
    rmSync(this.state, { recursive: true, force: true });
    this.loseIndex();
  }

  loseIndex(): void {
    rmSync(join(this.home, INDEX), { recursive: true, force: true });
  }

  /** Leaves only the files of version 0.9 in the state folder. Returns a function that restores the rest. */
  hideWhatIsNew(): () => void {
    const aside = `${this.state}.aside-${this.nowMs()}`;
    copyFolder(this.state, aside);
    keepOnly(this.state, KEPT_BY_0_9);
    const boards = join(this.state, 'boards');
    readdirSync(boards).forEach((name) => keepOnly(join(boards, name), KEPT_OF_BOARDS_BY_0_9));
    this.loseIndex();
    return () => cpSync(aside, this.state, { recursive: true, force: false });
  }

  /** Replaces the state folder with that of a copy of the home folder. */
  restoreState(copy: string): void {
    this.loseState();
    copyFolder(join(copy, STATE), this.state);
  }

  /** Copies the home folder, and returns the path of the copy. */
  backUp(): string {
    const copy = `${this.home}.backup-${this.nowMs()}`;
    copyFolder(this.home, copy);
    return copy;
  }

  /** Replaces the home folder with a copy. */
  restore(copy: string, { withState = true } = {}): void {
    rmSync(this.home, { recursive: true, force: true });
    copyFolder(copy, this.home);
    if (!withState) this.loseState();
  }

  /** Renames the home folder. */
  rename(): void {
    const renamed = `${this.home}-renamed`;
    renameSync(this.home, renamed);
    this.home = renamed;
  }

  /** Copies another device's logs, like a synchronized folder. Copies only one project if it is named. */
  takeLogsOf(other: Machine, project?: string): void {
    for (const path of other.logs()) {
      const below = path.slice(other.home.length + 1);
      if (project !== undefined && !below.split(sep).includes(project)) continue;
      const own = join(this.home, below);
      const known = statSync(own, { throwIfNoEntry: false })?.size ?? -1;
      if (known < statSync(path).size) copyFile(path, own);
    }
  }
}

/** Synchronizes the logs of two devices. */
export function syncLogs(a: Machine, b: Machine, project?: string): void {
  a.takeLogsOf(b, project);
  b.takeLogsOf(a, project);
}

/** The output of commands, for debugging. */
export function transcriptOf(said: readonly Said[]): string {
  const texts = said.map(({ machine, at, words, status, stdout, stderr }) => {
    const [heard] = stdout.split(/^.*, updated \d{4}-/m);
    const lines = `${heard}${stderr}`.trim().replaceAll(/^/gm, '    ');
    return `  ${at} ${machine}$ opbench ${words}  -> ${status}\n${lines}`;
  });
  return texts.join('\n');
}

function expectDone(said: Said): Said {
  if (said.status !== 0) throw new Error(`expected to succeed:\n${transcriptOf([said])}`);
  return said;
}

function writtenMs(path: string): number {
  return statSync(path).mtimeMs;
}

function keepOnly(folder: string, names: readonly string[]): void {
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
  const { atimeMs, mtimeMs } = statSync(from);
  utimesSync(to, atimeMs / 1000, mtimeMs / 1000);
}
