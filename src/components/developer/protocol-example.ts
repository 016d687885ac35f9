/** The worked example of the protocol, told from the test vectors. */
import type { TextSection } from '../text/markdown-text.ts';

interface ExampleVectors {
  base_url: string;
  keys: { device: { seed_hex: string; public_key: string; keyid: string } };
  enrollment: SignedSteps & { code: string; code_hash: string; request: { proof: Envelope } };
  snapshot: SignedSteps & { envelope: Envelope };
  receipt: { log_index: number; entry_hash: string; received_at: string; proof: Proof };
  invalid: readonly { name: string; code: string; status: number }[];
}

interface SignedSteps {
  payload_type: string;
  payload: string;
  payload_bytes: number;
  pae_sha256: string;
}

interface Envelope {
  signatures: readonly { sig: string }[];
}

interface Proof {
  previous: string;
  salt: string;
}

function signatureOf({ signatures }: Envelope): string {
  return signatures[0]?.sig ?? '';
}

function headOf({ payload_type, payload_bytes }: SignedSteps): string {
  return `DSSEv1 ${payload_type.length} ${payload_type} ${payload_bytes} `;
}

/** A device enrolls, submits one day of two models, and checks its receipt. */
export function exampleSections(vectors: ExampleVectors, path: string): TextSection[] {
  const { keys, enrollment, snapshot, receipt, base_url } = vectors;
  return [
    {
      id: 'example',
      title: 'Worked example',
      blocks: [
        `The device has the key of RFC 8032, section 7.1, test 1, and the board’s audience is \`${base_url}\`.`,
        {
          code: [
            `private key (seed, hex)   ${keys.device.seed_hex}`,
            `public_key                ${keys.device.public_key}`,
            `keyid                     ${keys.device.keyid}`,
          ],
        },
        `The operator reads out the code \`${enrollment.code}\`. The payload of the proof has ${enrollment.payload_bytes} bytes:`,
        { code: [enrollment.payload] },
        'The PAE is the first line below, including the space at its end, followed by these bytes. Its SHA-256 is the second line, and the signature the third:',
        {
          code: [headOf(enrollment), enrollment.pae_sha256, signatureOf(enrollment.request.proof)],
        },
        `Enrolled, the device reports one day of two models. One model does not report its cache. The payload has ${snapshot.payload_bytes} bytes:`,
        { code: [snapshot.payload] },
        { code: [headOf(snapshot), snapshot.pae_sha256, signatureOf(snapshot.envelope)] },
        `The board adds entry ${receipt.log_index} to its log and returns the receipt. With \`previous\` and \`salt\` of its \`proof\`, the device computes the \`entry_hash\` in the last line:`,
        {
          code: [
            `received_at  ${receipt.received_at}`,
            `previous     ${receipt.proof.previous}`,
            `salt         ${receipt.proof.salt}`,
            `entry_hash   ${receipt.entry_hash}`,
          ],
        },
      ],
    },
    {
      id: 'vectors',
      title: 'Test vectors',
      blocks: [
        `[${path}](${path}) contains this example in full, and codes, metrics, a device token, a correction, receipts, a change of the board’s key, and a complete public log file. Its private keys are public: never enroll them.`,
        'It also lists bodies that a board at that address and instant (`now`) refuses once the device is enrolled. A board answers them as follows:',
        {
          terms: vectors.invalid.map(({ name, code, status }) => {
            return [code, String(status), `${name}.`] as const;
          }),
        },
      ],
    },
  ];
}
