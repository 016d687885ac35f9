import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { reportText } from '../verify/report.ts';
import { isProofFile, proofText, verifyProof } from '../verify/verify-proof.ts';
import { verifyBoard, verifyFile } from '../verify/verify.ts';

export const verify = command({
  help: `opbench verify: check a board's public log without trusting the board

Usage: opbench verify URL | FILE [--calibration] [--full] [--json]
       opbench verify PROOF.tlog-proof [--policy FILE] [--json]

  URL            a board: downloads what is new of its log since the last check,
                 and compares it with the live log and the board that readers
                 get
  FILE           a saved /log.ndjson.gz, or the output of "opbench-board export"
  --calibration  also test the intervals: how often the first 60 and the last 30
                 of an operator's last 90 days agree within their intervals
  --full         download the whole log again
  PROOF          a proof that an entry is in a log; submit saves one for each
                 submission in the state folder. Checked offline
  --policy FILE  trust the logs and witnesses in a file (C2SP tlog-policy);
                 default: the logs of this device's boards
  --json         print JSON

It checks the hash chain, every signature and every receipt, then recomputes
each published board from the log. If this device is enrolled there, its own
receipts must be in the log. Entries that are erased, private or not signed
cannot be checked; verify prints how many there are.

Exit codes: 0 no differences, 1 usage, 3 differences found, 4 network

Example: opbench verify https://bench.example.org
`,
  json: `opbench verify --json prints one object:

  sound           true if no difference was found
  source, base_url, log_index, as_of
  downloaded      what was downloaded of the log: all, new or none; only for a
                  URL
  entries         {shown, erased, lost, withheld}
  submissions     {signed, self_reported}
  boards          array of {as_of, kept, log_index, extent, rows: {recomputed,
                  stated}, gaps, values, is_sound}; "extent" is fully, partly or
                  not; "values" is kept, or thinned if the board deleted them
  live            null for a FILE, or {log_index, entry_hash,
                  boards: [{as_of, kept, rows}]}
  own_receipts    number of receipts looked up; null if not enrolled there
  calibration     only with --calibration: {as_of, log_index, method, methods}
                  as in GET /api/v1/metrics/leaders; null if there is no board
  notes           array of texts
  findings        array of {code, line, message} and, where they apply,
                  log_index, name, operator, as_of, trust, tool, window, metric,
                  stated and recomputed
  findings_total  number of all findings

For a proof: sound, source, origin, log_index, kind, received_at, entry_hash,
size, root, cosigned: [{witness, at}], own_receipt (whether this device sent it)
`,
  words: 1,
  options: { calibration: 'flag', full: 'flag', policy: 'text' },
  async run({ words: [source], values: { calibration, full, policy } }, output, device) {
    if (source === undefined)
      throw new Failure(
        EXIT.usage,
        'verify needs a FILE or a URL',
        'For example: opbench verify https://bench.example.org',
      );
    if (isProofFile(source)) {
      const proof = await verifyProof(device, source, policy);
      output.result(proof, () => proofText(proof));
      return EXIT.ok;
    }
    // With any scheme it is a URL, never a file name, so that a wrong address gets the right error.
    const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
    const report = isUrl
      ? await verifyBoard(device, readBoardUrl(source), { note: output.note, calibration, full })
      : await verifyFile(device, source, { calibration });
    output.result(report, () => reportText(report));
    return report.sound ? EXIT.ok : EXIT.refused;
  },
});
