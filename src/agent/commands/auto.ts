import { type AutoReport, autoReport } from '../auto/health.ts';
import { runOnce } from '../auto/run.ts';
import { turnOff, turnOn } from '../auto/switch.ts';
import { lingers } from '../auto/systemd.ts';
import { type AgentOutput, command } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { account } from '../settings.ts';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { autoLines, runText } from '../text/auto.ts';
import { findingLines } from '../text/failure.ts';
import { keepProxyNoted } from '../state/saved-proxy.ts';

export const auto = command({
  help: `opbench auto: submit every 6 hours, with the system's own timer

Usage: opbench auto on | off | status [--json]

  on      install the timer; run it again after you change a proxy variable
  off     remove the timer
  status  show the timer and its last run
  --json  print JSON

The timer belongs to systemd, launchd (macOS), Task Scheduler (Windows) or cron.
It runs the saved copy of opbench, at a minute that differs from device to
device. "on" saves HTTPS_PROXY, ALL_PROXY and NO_PROXY of this shell, which only
you can read. The last 500 runs are logged in auto.ndjson in the state folder.

Exit code of status: 5 if the timer is on but does not work, for example after
24 hours without a successful run

Example: opbench auto on
`,
  json: `opbench auto on|off|status --json prints one object:

  state         on or off
  timer         systemd, launchd, task-scheduler, cron or null
  node, file    what the timer runs
  since         when it was turned on
  log           path of the log of runs
  last_run      the last line of the log, or null
  last_good_at  time of the last successful run, or null
  findings      array of {severity, exit, text, advice}

Each line of the log is one run; "opbench auto run --json" prints it:

  at, duration_ms, version, exit
  skipped       true if another run was in progress
  message       why the whole run failed, or null
  boards        array of {board, records, exit, code, message}
`,
  words: 1,
  choices: [['on', 'off', 'status']],
  async run({ word }, output, device) {
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (action) return action(device, output);
    throw new Failure(EXIT.usage, 'auto needs on, off or status', 'For example: opbench auto on');
  },
});

type Action = (device: LocalDevice, output: AgentOutput) => ExitCode | Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = {
  on(device, output) {
    const { timer } = turnOn(device, process.platform);
    keepProxyNoted(device.environment, 'timer', output);
    if (timer === 'systemd') tellLinger(device, output);
    show(autoReport(device), output);
    return EXIT.ok;
  },
  off(device, output) {
    if (!turnOff(device)) output.note('There was no opbench timer.');
    show(autoReport(device), output);
    return EXIT.ok;
  },
  status(device, output) {
    const report = autoReport(device);
    show(report, output);
    return report.findings.some(({ severity }) => severity === 'problem') ? EXIT.partial : EXIT.ok;
  },
  async run(device, output) {
    const run = await runOnce(device);
    output.result(run, runText(run));
    return run.exit;
  },
};

function show(report: AutoReport, { result }: AgentOutput): void {
  const lines = ['Timer', ...autoLines(report), ...findingLines(report.findings)];
  result(report, lines.join('\n'));
}

function tellLinger({ environment }: LocalDevice, { note }: AgentOutput): void {
  if (lingers(environment, account()?.username ?? '') !== false) return;
  note('The timer runs only while you are signed in. To run it always: loginctl enable-linger');
}
