/** Devices that communicate with a running board. */
import { composeRecord } from '#core/domain/metrics/record.ts';
import { proveEnrollment } from '#core/domain/signing/enrollment.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import type { Problem } from '#core/contract/problem.ts';
import { ENVELOPE_MEDIA_TYPE, type Envelope, type SnapshotPayload } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { type Loose, type TestDevice, aDevice, aPayload } from '../board/builders.ts';

/** The body of an enrollment of this device, with a code that is created for the signed-in operator. */
export async function anEnrollment(
  { url, baseUrl }: { url: string; baseUrl: string },
  cookie: string,
  device: TestDevice,
  over: { label?: string; replaces?: string } = {},
): Promise<string> {
  const headers = { Cookie: cookie };
  const made = await fetch(`${url}/api/v1/devices/codes`, { method: 'POST', headers });
  const { code } = (await made.json()) as { code: string };
  const { public_key, installation_id } = device;
  const code_hash = sha256Hex(code.replaceAll('-', ''));
  const issued_at = new Date().toISOString();
  const { label = 'Laptop', ...replacing } = over;
  const own = { audience: baseUrl, code_hash, public_key, installation_id, issued_at };
  const claim = { ...own, ...replacing };
  const proof = await proveEnrollment(claim, device);
  return JSON.stringify({ code, public_key, installation_id, label, proof, ...replacing });
}

/** Creates a code as the signed-in operator and enrolls a new device with it. */
export async function enrollOverHttp(
  board: { url: string; baseUrl: string },
  cookie: string,
): Promise<TestDevice> {
  const device = await aDevice();
  const body = await anEnrollment(board, cookie, device);
  await fetch(`${board.url}/api/v1/devices/enroll`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return device;
}

/** A snapshot for a running board, issued now. */
export function aLivePayload(
  { baseUrl }: { baseUrl: string },
  buckets: readonly Bucket[],
  over: Loose<SnapshotPayload> = {},
): SnapshotPayload {
  const records = buckets.map(composeRecord);
  return aPayload({ audience: baseUrl, issued_at: new Date().toISOString(), records, ...over });
}

export interface Reply<Body> {
  status: number;
  mediaType: string;
  body: Body;
}

/** Posts a body that may be a snapshot. */
export async function postSnapshot<Body = SnapshotReceipt>(
  { url }: { url: string },
  envelope: Envelope | BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<Body>> {
  const isEnvelope = typeof envelope === 'object' && 'payloadType' in envelope;
  const response = await fetch(`${url}/api/v1/snapshots`, {
    method: 'POST',
    headers: { 'Content-Type': ENVELOPE_MEDIA_TYPE, ...headers },
    body: isEnvelope ? JSON.stringify(envelope) : envelope,
  });
  const mediaType = response.headers.get('content-type') ?? '';
  return { status: response.status, mediaType, body: (await response.json()) as Body };
}

/** An error as it appears in a response. */
export function aProblem(status: number, code: string): Reply<Partial<Problem>> {
  return {
    status,
    mediaType: 'application/problem+json; charset=utf-8',
    body: { status, code } as Partial<Problem>,
  };
}
