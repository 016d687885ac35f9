import { plainJson } from '#core/domain/text/terminal-text.ts';
import { type Command, readArguments } from '../command.ts';
import { exitOf } from '../finding.ts';
import { examine } from '../loop/doctor.ts';
import { doctorText } from '../text/doctor.ts';

export const doctor: Command = {
  help: `opbench doctor [--board URL] [--offline] [--repair] [--json]: where logs were
looked for and what was understood of them, the state of the ledger, of keys,
boards, clock, timer and of the copy of this program, and what is wrong with any
of it. --offline asks no board. A board behind a proxy (HTTPS_PROXY) is asked
through it.

The ledger stores every response that the logs ever showed, even after the logs
are deleted. --repair sets damaged files of the ledger aside, reads all logs
again, and adds what boards have from this device. It never lowers a count.

Example: opbench doctor --offline

--json prints {"program": {"file", "version", "node": {"path", "version",
"zstd", "sqlite"}, "copy": {"path", "exists", "version"}}, "state": {"path",
"writable"}, "index": {"path", "writable"}, "logs": [{"tool", "roots": [{"path",
"exists"}], "files", "events", "skipped_lines", "skipped", "unreadable"}],
"ledger": {"path", "state", "responses", "daily_counts", "only_here":
{"responses", "tokens"}, "carried": [{"board", "daily_counts", "tokens"}],
"set_aside"}, "boards": [{"board", "name", "codename", "keyid", "key",
"reachable", "version", "clock_skew_ms", "last_submission_at", "pending":
{"snapshots", "records"}, "proxy"}], "auto": as "opbench auto status" without
findings, "repaired": [what --repair did], "findings": [{"severity", "exit",
"text", "advice"}]}. "key" is fine, revoked, unknown or refused; null is what
was not asked or not told. "only_here" is what the logs no longer hold, and
"state" of the ledger is fine, damaged, unsaved or blocked. Exit codes: 0 no
problem (there may be warnings), else that of the worst problem: 1 something on
this device, 3 refused by a board, 4 network.
`,
  async run(device, args, output) {
    const given = readArguments(args, {
      command: 'doctor',
      options: ['board', 'offline', 'repair', 'json'],
    });
    const { board, offline, repair, json } = given;
    const report = await examine(device, { board, offline, repair, progress: output.progress });
    output.result(json ? plainJson(report) : doctorText(report));
    return exitOf(report.findings);
  },
};
