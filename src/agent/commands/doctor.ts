import { exitOf } from '#core/cli/findings.ts';
import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import { examine } from '../doctor/run-doctor.ts';
import { doctorText } from '../doctor/doctor-text.ts';

export const doctor = command({
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
  options: { board: readBoardUrl, offline: 'flag', repair: 'flag' },
  async run({ values }, output, device) {
    const report = await examine(device, { ...values, progress: output.progress });
    output.result(report, () => doctorText(report));
    return exitOf(report.findings);
  },
});
