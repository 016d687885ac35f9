/** A log as a board could show it, honest or not, signed with the key of the board's log. */
import { encodeBundle } from '#core/domain/tlog/bundle.ts';
import { checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { consistencyText, logProofText } from '#core/domain/tlog/log-proof.ts';
import { type NoteSignature, noteOf } from '#core/domain/tlog/note.ts';
import { TILE_WIDTH, parseTilePath } from '#core/domain/tlog/tile.ts';
import {
  type Hash,
  consistencyPath,
  inclusionPath,
  leafHash,
  nodeHash,
  rootOf,
} from '#core/domain/tlog/tree.ts';
import type { Store } from '#db/store.ts';
import { sha256 } from '#server/process/crypto.ts';

/** Signs the text of a checkpoint of this origin. */
export interface ViewKey {
  origin: string;
  sign(text: string): NoteSignature;
}

/** The entries of a board's log, as the bytes of leaves. */
export function entriesOf({ tiles }: Pick<Store, 'tiles'>): Uint8Array[] {
  const bundles = Math.ceil(tiles.size() / TILE_WIDTH);
  return Array.from({ length: bundles }, (_, number) => tiles.entries(number)).flat();
}

export class LogView {
  readonly entries: readonly Uint8Array[];
  readonly #key: ViewKey;
  readonly #cosign: (text: string) => NoteSignature[];

  constructor(
    entries: readonly Uint8Array[],
    key: ViewKey,
    cosign: (text: string) => NoteSignature[] = () => [],
  ) {
    this.entries = entries;
    this.#key = key;
    this.#cosign = cosign;
  }

  /** The same log with other entries: rewound, reordered, or changed. */
  with(change: (entries: Uint8Array[]) => Uint8Array[]): LogView {
    return new LogView(change([...this.entries]), this.#key, this.#cosign);
  }

  get checkpoint(): string {
    const size = this.entries.length;
    const text = checkpointText({
      origin: this.#key.origin,
      size,
      root: rootOf(size, this.#node, sha256),
    });
    return noteOf(text, [this.#key.sign(text), ...this.#cosign(text)]);
  }

  proof(log_index: number): string {
    const index = log_index - 1;
    const path = inclusionPath(index, this.entries.length, this.#node, sha256);
    const extra = this.entries[index] ?? null;
    return logProofText({ extra, index, path, checkpoint: this.checkpoint });
  }

  consistency(oldSize: number): string {
    const path = consistencyPath(oldSize, this.entries.length, this.#node, sha256);
    return consistencyText({ oldSize, path, checkpoint: this.checkpoint });
  }

  /** The response to a request about the log; null if it is about something else. */
  answer(url: string): Response | null {
    const { pathname, searchParams } = new URL(url);
    const size = this.entries.length;
    const asked = Number(searchParams.get('log_index') ?? searchParams.get('from') ?? 0);
    switch (pathname) {
      case '/api/v1/log/proof':
        return asked > size ? notThere() : new Response(this.proof(asked));
      case '/api/v1/log/consistency':
        return asked > size ? notThere() : new Response(this.consistency(asked));
    }
    const file = this.file(pathname.slice(1));
    return file && new Response(new Uint8Array(file));
  }

  /** The checkpoint, a tile or a bundle; null for another path. */
  file(path: string): Buffer | null {
    if (path === 'log/checkpoint') return Buffer.from(this.checkpoint);
    return path.startsWith('log/tile/') ? this.#tile(path.slice('log/'.length)) : null;
  }

  #tile(path: string): Buffer {
    const { level, number, width } = parseTilePath(path);
    const first = number * TILE_WIDTH;
    if (level === 'entries') {
      return Buffer.from(encodeBundle(this.entries.slice(first, first + width)));
    }
    const hashes = Array.from({ length: width }, (_, at) => this.#node(8 * level, first + at));
    return Buffer.concat(hashes);
  }

  readonly #node = (level: number, number: number): Hash => {
    if (level === 0) return leafHash(this.entries[number] ?? new Uint8Array(), sha256);
    const left = this.#node(level - 1, 2 * number);
    return nodeHash(left, this.#node(level - 1, 2 * number + 1), sha256);
  };
}

function notThere(): Response {
  const problem = { code: 'not_found', status: 404, title: 'Not found', detail: 'Not in the log' };
  return Response.json(problem, { status: 404 });
}

/** Changes the text of one entry. */
export function changedAt(index: number) {
  return (entries: Uint8Array[]) => {
    const text = Buffer.from(entries[index] ?? new Uint8Array()).toString();
    return entries.with(index, Buffer.from(text.replace(/[0-9a-f]\n$/, 'x\n')));
  };
}

/** Exchanges two entries. */
export function reordered(a: number, b: number) {
  return (entries: Uint8Array[]) => {
    const [first, second] = [entries[a], entries[b]];
    return first && second ? entries.with(a, second).with(b, first) : entries;
  };
}
