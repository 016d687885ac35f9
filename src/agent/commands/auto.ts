import { userInfo } from 'node:os';
import { type AutoReport, autoReport } from '../auto/health.ts';
import { runOnce } from '../auto/run.ts';
import { turnOff, turnOn } from '../auto/switch.ts';
import { lingers } from '../auto/systemd.ts';
import { type AgentOutput, command } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { autoLines, runText } from '../text/auto.ts';
import { findingLines } from '../text/failure.ts';
import { keepProxyNoted } from '../state/saved-proxy.ts';

export const auto = command({
  help: `opbench auto on|off|status [--json]: submit every 6 hours, at a time that
differs from device to device, by a timer of the user's systemd or else by cron.
It runs the copy of this program in the state folder. "off" takes away what "on"
set. "on" saves HTTPS_PROXY, ALL_PROXY and NO_PROXY of this shell in the state
folder, readable only by you, and the timer uses them. Run it again when they
change.

Example: opbench auto on

Each run adds one line to auto.ndjson in the state folder (the newest 500 are
kept): {"at", "duration_ms", "version", "exit", "skipped", "message", "boards":
[{"board", "records", "exit", "code", "message"}]}. "opbench auto run" is what
the timer calls.

--json prints {"state": "on"|"off", "timer": "systemd"|"cron"|null, "node",
"file", "since", "log", "last_run", "last_good_at", "findings": [{"severity",
"exit", "text", "advice"}]}; of "run", its line. Exit code of "status": 5 if the
timer is on and does not work, as when no run went well for 24 hours.
`,
  words: 1,
  async run({ word }, output, device) {
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (action) return action(device, output);
    throw new Failure(EXIT.usage, 'auto takes on, off or status', 'As in: opbench auto on');
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
    if (!turnOff(device)) output.note('There was no timer of opbench.');
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
  if (lingers(environment, userInfo().username) !== false) return;
  note('The timer runs while you are signed in. To let it run always: loginctl enable-linger');
}
