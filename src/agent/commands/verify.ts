import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { reportText } from '../verify/report.ts';
import { verifyBoard, verifyFile } from '../verify/verify.ts';

export const verify = command({
  help: `opbench verify FILE|URL [--json]: check a board's public log, by itself and
without trusting the board: the chain of hashes, who signed what, every receipt;
then replay it and recompute each published board, bit for bit. URL is the
address of a board, whose live log is compared too, and whose boards as readers
see them first; FILE is what "opbench-board export" wrote, or a saved
/log.ndjson.gz. Where this device is enrolled, its own receipts must stand in
the log.

Example: opbench verify https://bench.example.org

What cannot be checked is counted: entries that their owners erased, or that
belong to operators who are anonymous, private or have opted out, and what
nobody signed.

--json prints {"sound", "source", "base_url", "log_index", "as_of", "entries":
{"shown", "erased", "withheld"}, "submissions": {"signed", "self_reported"},
"boards": [{"as_of", "kept", "log_index", "extent": "fully"|"partly"|"not",
"rows": {"recomputed", "stated"}, "gaps", "is_sound"}], "live": null or
{"log_index", "entry_hash", "boards": [{"as_of", "kept", "rows"}]},
"own_receipts", "notes": [TEXT...], "findings": [{"code", "line", "message"}],
"findings_total"}. A finding also names, where they apply, "log_index", "name",
"operator", "as_of", "trust", "tool", "window", "metric", "stated" and
"recomputed". "live" is null for a FILE; "own_receipts" is how many were looked
up, null where this device is not enrolled.
Exit codes: 0 sound, 3 not sound, 1 usage, 4 network.
`,
  words: 1,
  async run({ words: [source] }, output, device) {
    if (source === undefined) throw new Failure(EXIT.usage, 'verify takes a FILE or a URL');
    // Any scheme: what is no address of a board is refused as one, and not looked for on the disk.
    const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
    const report = isUrl
      ? await verifyBoard(device, readBoardUrl(source), output.note)
      : await verifyFile(device, source);
    output.result(report, () => reportText(report));
    return report.sound ? EXIT.ok : EXIT.refused;
  },
});
