/** Machines of one person in a simulation: what happens to them, and what the command says to it. */
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
import { dirname, join } from 'node:path';
import { type PreparedResponse, type Started, built, start } from '../http/process.ts';
import { runOpbench } from './opbench.ts';
import { type SimulatedBoard, SET_BY_FILE, whileAt } from './simulated-board.ts';
import { type Network, reachedBy } from './simulated-network.ts';
import { type Session, type Tool, type Truth, aSession, resumed, tell } from '../logs/told.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SECOND_MS = 1000;
/** How long somebody works at a time. */
const WORK_MS = 10 * 60 * SECOND_MS;

/** Where tools keep logs, below a home folder. */
const LOGS = ['.claude', '.codex'];
const STATE = join('.config', 'opbench');
const INDEX = join('.cache', 'opbench');

/** What version 0.9 keeps in its state folder. */
const KEPT_BY_0_9 = ['installation.json', 'boards', 'opbench.mjs', 'auto.ndjson'];
const KEPT_OF_BOARDS_BY_0_9 = [
  'identity.json',
  'outbox',
  'sent.json',
  'receipts.ndjson',
  'ranks.json',
];

/** Where a machine stands: its board, whose counts it makes, and the folder for its home. */
export interface MachineOptions {
  board: SimulatedBoard;
  name: string;
  account: string;
  truth: Truth;
  folder: string;
}

/** How somebody works. */
interface Work {
  tool?: Tool;
  project?: string;
  /** When the last response came, in milliseconds since the epoch; after a while by default. */
  atMs?: number;
  /** Goes on in a session. */
  session?: Session;
}

/** What a command said. */
export interface Said extends PreparedResponse {
  machine: string;
  /** By the simulated clock. */
  at: string;
  words: string;
}

export class Machine {
  readonly name: string;
  /** What the system calls itself; null if it has no name. */
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

  /** The time as this machine knows it. */
  nowMs(): number {
    return this.#board.clock.nowMs() + this.#skewMs;
  }

  /** Sets its clock ahead of the board's. */
  setAhead(ms: number): void {
    this.#skewMs = ms;
  }

  /**
   * A tool answers so many times, in a session of its own. If no time is given, it takes a while, so that
   * the responses come after all that was before.
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

  /** Runs the command in this process, at one instant of this machine's clock. */
  async run(...words: string[]): Promise<Said> {
    const nowMs = this.nowMs();
    const change = reachedBy(this.network);
    const ended = await whileAt(nowMs, () => runOpbench(words, this.#environment, change));
    return this.#told(words, nowMs, ended);
  }

  /** Runs the built command in a process of its own, by the clock of the board. */
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

  /** Runs what must go well. */
  async does(...words: string[]): Promise<Said> {
    return expectDone(await this.run(...words));
  }

  /** Runs what must not go well. */
  async fails(...words: string[]): Promise<Said> {
    const said = await this.run(...words);
    if (said.status === 0) throw new Error(`expected to be refused:\n${transcriptOf([said])}`);
    return said;
  }

  async submit(...flags: string[]): Promise<Said> {
    return this.does('submit', ...flags);
  }

  async enroll(...flags: string[]): Promise<Said> {
    return this.does(...(await this.enrollment(...flags)));
  }

  /** The words that enroll this machine. */
  async enrollment(...flags: string[]): Promise<string[]> {
    const code = await this.#board.codeFor(this.account);
    return ['enroll', code, '--board', this.#board.url, '--label', this.name, ...flags];
  }

  /** Kills a submission so many milliseconds after it began. */
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

  /** The tools delete logs that were not written to for so many days. */
  cleanUp(days = 0): void {
    const oldestMs = this.nowMs() - days * DAY_MS;
    this.logs()
      .filter((path) => writtenMs(path) < oldestMs)
      .forEach((path) => rmSync(path));
  }

  /** A container begins: of its home only the state folder stays. */
  startEmpty(): void {
    LOGS.forEach((name) => rmSync(join(this.home, name), { recursive: true, force: true }));
    this.loseIndex();
  }

  deleteSession({ path }: Session): void {
    rmSync(path);
  }

  /** Whose responses the tools log from now on, and who enrolls. */
  belongTo({ account, truth }: { account: string; truth: Truth }): void {
    this.account = account;
    this.truth = truth;
  }

  /** Every second log goes. */
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

  /** Leaves in the state folder what version 0.9 knows; returns what puts the rest back. */
  hideWhatIsNew(): () => void {
    const aside = `${this.state}.aside-${this.nowMs()}`;
    copyFolder(this.state, aside);
    keepOnly(this.state, KEPT_BY_0_9);
    const boards = join(this.state, 'boards');
    readdirSync(boards).forEach((name) => keepOnly(join(boards, name), KEPT_OF_BOARDS_BY_0_9));
    this.loseIndex();
    return () => cpSync(aside, this.state, { recursive: true, force: false });
  }

  /** Replaces the state folder by that of a copy of the home folder. */
  restoreState(copy: string): void {
    this.loseState();
    copyFolder(join(copy, STATE), this.state);
  }

  /** Copies the home folder; returns where the copy is. */
  backUp(): string {
    const copy = `${this.home}.backup-${this.nowMs()}`;
    copyFolder(this.home, copy);
    return copy;
  }

  /** Replaces the home folder by a copy of one. */
  restore(copy: string, { withState = true } = {}): void {
    rmSync(this.home, { recursive: true, force: true });
    copyFolder(copy, this.home);
    if (!withState) this.loseState();
  }

  /** The home folder gets another name. */
  rename(): void {
    const renamed = `${this.home}-renamed`;
    renameSync(this.home, renamed);
    this.home = renamed;
  }

  /** Takes another machine's logs, as a folder that is kept in step does; of a project only if it is named. */
  takeLogsOf(other: Machine, project?: string): void {
    for (const path of other.logs()) {
      const below = path.slice(other.home.length + 1);
      if (project !== undefined && !below.includes(`/${project}/`)) continue;
      const own = join(this.home, below);
      const known = statSync(own, { throwIfNoEntry: false })?.size ?? -1;
      if (known < statSync(path).size) copyFile(path, own);
    }
  }
}

/** Keeps the logs of two machines in step. */
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
  if (said.status !== 0) throw new Error(`expected to go well:\n${transcriptOf([said])}`);
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
