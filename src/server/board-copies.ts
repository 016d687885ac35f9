/** Connects the server of a board to the object store, from which other machines serve the board. */
import { DomainError } from '#core/domain/text/errors.ts';
import { ConfigError } from './config/config-error.ts';
import type { AppContext } from './context.ts';
import { refusing } from './http/http-layer.ts';
import type { Service } from './http/server.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Uploader } from './object-store/uploader.ts';
import { FencedError, refuseReplaced } from './object-store/writer-claim.ts';
import type { Publisher } from './publication/publisher.ts';
import { createUploader } from './wiring.ts';

/**
 * Confirms that this machine is the writer. Returns null without an object store.
 *
 * @param onFenced Called if another machine becomes the writer. By then, this one has stopped writing.
 * @throws {ConfigError} if another machine is the writer.
 */
export async function openUploader(
  ctx: AppContext,
  { life, publisher }: { life: Lifecycle; publisher: Publisher },
  onFenced: () => void,
): Promise<Uploader | null> {
  try {
    // Also without an object store, because nothing else would stop it then.
    refuseReplaced(ctx.config.dataDir);
    const uploader = createUploader(ctx, publisher, () => {
      life.endWrites();
      onFenced();
    });
    if (!uploader) return null;
    life.running.objectStore = uploader;
    life.running.watches.push(uploader);
    ctx.objectStore = uploader;
    await uploader.claim();
    return uploader;
  } catch (error) {
    if (!(error instanceof FencedError)) throw error;
    throw new ConfigError(`${error.message} ${ADVICE}`);
  }
}

const ADVICE =
  'To make this machine the writer again, stop the other one and run: opbench-board promote';

/** Waits until other machines stop showing what was hidden, whether or not this one could publish. */
export async function hideElsewhere(
  { publications, store }: AppContext,
  published: Promise<void>,
  uploader: Uploader,
): Promise<void> {
  try {
    await published;
  } finally {
    await uploader.hideBefore(publications.current()?.id ?? store.publications.lastId() + 1);
  }
}

/** Answers all requests after another machine became the writer, because what this one has is out of date. */
export function fenced(baseUrl: string): Service {
  return {
    listener: refusing(baseUrl)(new DomainError('service_unavailable', FENCED)),
    baseUrl,
  };
}

const FENCED =
  'Another machine became the writer of this board, and this one stopped. Nothing was stored';
