/**
 * A task of Task Scheduler on Windows.
 *
 * @see {@link https://learn.microsoft.com/en-us/windows/win32/taskschd/task-scheduler-schema | Task Scheduler schema}
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { escapedMarkup } from '#core/domain/text/escape.ts';
import { EXIT, Failure, orNull } from '../failure.ts';
import { type Environment, account, stateFolder } from '../settings.ts';
import { writePrivate } from '../state/atomic-file.ts';
import { dropTimerVariables, keepTimerVariables } from '../state/timer-variables.ts';
import { type Ended, type Job, type Timer, runProgram, timesOf } from './timer.ts';

export const taskScheduler: Timer = {
  name: 'task-scheduler',
  isUsable: (environment) => orNull(() => ({ task: readTask(environment) })) !== null,
  isSet: (environment) => isOurs(readTask(environment)),
  isHeeded(environment) {
    const task = readTask(environment);
    return task !== null && !/<Settings>[^]*<Enabled>false</.test(task);
  },
  set(environment, job, spread) {
    for (const path of [job.node, job.file]) refuseReplaced(path);
    const task = readTask(environment);
    if (task !== null && !isOurs(task)) throw foreign();
    const path = join(stateFolder(environment), 'auto-task.xml');
    try {
      keepTimerVariables(environment, job.variables);
      writePrivate(path, encoded(taskText(job, timesOf(spread))));
      demand(ask(environment, '/Create', '/XML', path, '/F'));
    } catch (error) {
      orNull(() => taskScheduler.unset(environment));
      dropTimerVariables(environment);
      throw error;
    } finally {
      rmSync(path, { force: true });
    }
  },
  unset(environment) {
    if (!taskScheduler.isSet(environment)) return false;
    demand(ask(environment, '/Delete', '/F'));
    dropTimerVariables(environment);
    return true;
  },
};

/** Marks our task. */
const SOURCE = 'opbench auto on';

/** schtasks reads UTF-16 with a byte order mark. */
function encoded(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}

/**
 * A trigger for each time of day, because Windows catches up on a missed trigger but not on a missed repetition. It runs as
 * the user who registers it, and needs no administrator as long as it runs only while that user is signed in. `conhost`
 * runs Node without a window; the task's setting `Hidden` would only hide it in lists.
 */
function taskText({ node, file }: Job, { minute, hours }: ReturnType<typeof timesOf>): string {
  const triggers = hours.map((hour) => {
    const time = [hour, minute, 0].map((part) => String(part).padStart(2, '0')).join(':');
    return `    <CalendarTrigger>
      <StartBoundary>2026-01-01T${time}</StartBoundary>
      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>
    </CalendarTrigger>
`;
  });
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Source>${SOURCE}</Source>
    <Description>Sends new token counts to Opbench boards. To remove it: opbench auto off</Description>
  </RegistrationInfo>
  <Triggers>
${triggers.join('')}  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>true</RunOnlyIfNetworkAvailable>
    <ExecutionTimeLimit>PT1H</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%SystemRoot%\\System32\\conhost.exe</Command>
      <Arguments>${escapedMarkup(`--headless "${node}" "${file}" auto run`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** Windows has no escape for what it replaces in commands. */
function refuseReplaced(path: string): void {
  if (!/"|%[^%]+%|\$\(/.test(path)) return;
  const message = `Task Scheduler cannot run a path with %NAME%, $( or a quote: ${path}`;
  throw new Failure(EXIT.usage, message, 'Use a Node.js or OPBENCH_HOME in another folder.');
}

/** "File not found" and "path not found", the lower half of an HRESULT. */
const MISSING = [2, 3];

/** The definition of the task with our name, or null if there is none. */
function readTask(environment: Environment): string | null {
  const ended = ask(environment, '/Query', '/XML');
  if (ended?.status === 0) return ended.stdout.toString('latin1').replaceAll('\0', '');
  if (ended && MISSING.includes((ended.status ?? 0) & 0xffff)) return null;
  const why = ended?.complaint ?? 'schtasks was not found';
  throw new Failure(EXIT.usage, `Task Scheduler cannot be asked for the timer: ${why}`);
}

function isOurs(task: string | null): boolean {
  return task?.includes(`<Source>${SOURCE}</Source>`) ?? false;
}

function foreign(): Failure {
  const message = `There is a task ${taskName()} that was not created by "opbench auto on"`;
  return new Failure(EXIT.usage, message, 'Rename it, then run the command again.');
}

function demand(ended: Ended | null): void {
  if (ended?.status === 0) return;
  const why = ended?.complaint ?? 'schtasks was not found';
  const hint = `See: schtasks /Query /TN "${taskName()}"`;
  throw new Failure(EXIT.usage, `Task Scheduler rejected the change: ${why}`, hint);
}

/** Tasks of all users are in one folder. */
function taskName(): string {
  return `opbench-${account()?.username ?? 'user'}`;
}

function ask(environment: Environment, action: string, ...words: string[]): Ended | null {
  const all = ['schtasks', action, '/TN', taskName(), ...words, '/HRESULT'];
  return runProgram(environment, all);
}
