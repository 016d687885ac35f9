/** Witnesses on loopback that answer as a test says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseWitnessRequest, witnessRefusal } from '#core/domain/tlog/witness.ts';
import { signatureLine } from '#core/domain/tlog/note.ts';
import type { TreeHead } from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import { type TestWitness, aWitness } from './note-keys.ts';

interface Reply {
  status: number;
  body: string;
}

/** What a witness answers to a body; `never` keeps the request open, `dripping` sends a byte at a time. */
export type Behavior = (body: string, witness: TestWitness) => Reply | 'dripping' | 'never';

export interface LoopbackWitness extends TestWitness {
  url: string;
  /** The bodies that were received, oldest first. */
  requests: string[];
  behave: Behavior;
}

/** Closed after the test. */
export async function aLoopbackWitness(behave = honest(), name?: string): Promise<LoopbackWitness> {
  const requests: string[] = [];
  const witness: LoopbackWitness = { ...aWitness(name), url: '', requests, behave };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push(`${request.method} ${request.url}\n${body}`);
      const reply = witness.behave(body, witness);
      if (reply === 'never') return;
      if (reply !== 'dripping') return void response.writeHead(reply.status).end(reply.body);
      response.writeHead(200);
      const timer = setInterval(() => response.write('—'), 20);
      response.on('close', () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(witness, { url: `http://127.0.0.1:${port}` });
}

/** Cosigns what extends the last checkpoint, as the standard requires. It knows every log. */
export function honest(latest: TreeHead | null = null, seconds = 1_700_000_000): Behavior {
  let known = latest;
  return (body, witness) => {
    const request = parseWitnessRequest(body);
    const refusal = witnessRefusal(request, known, sha256);
    if (refusal) return { status: refusal.status, body: `${known?.size ?? 0}\n` };
    known = request.checkpoint;
    return { status: 200, body: signatureLine(witness.cosign(request.note.text, seconds)) };
  };
}
