import { type Command, readArguments } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { plain, plainJson } from '../text/plain.ts';
import { enroll as enrollDevice } from '../loop/enroll.ts';

export const enroll: Command = {
  help: `opbench enroll CODE --board URL [--label NAME] [--json]: bind this device to your
account on a board. The code comes from "New key" in the board's settings, works
once and for 10 minutes. The private key never leaves this device.

Example: opbench enroll 7K3QX-9M2RT-4HWPB --board https://bench.example.org
`,
  async run(device, args, output) {
    const given = readArguments(args, { options: ['board', 'label', 'json'], words: 1 });
    const [code] = given.words;
    if (code === undefined || given.board === undefined) {
      throw new Failure(EXIT.usage, 'enroll takes a CODE and --board URL');
    }
    const label = given.label ?? `${process.platform} ${process.arch}`;
    const identity = await enrollDevice(device, { code, board: given.board, label });
    const { board, codename, device_id } = identity;
    if (given.json) output.result(plainJson({ board, codename, device_id, label }));
    else output.result(`Enrolled as ${plain(codename)} on ${board}. Next: opbench submit`);
    return EXIT.ok;
  },
};
