import { type PublicConfig, configFrom } from '../config/public-config.ts';
import type { ReaderConfig } from '../config/reader-config.ts';
import type { SiteFile } from '../config/site.ts';
import type { AppContext, Publications } from '../context.ts';
import { type BuiltProgram, type Released, releaseOf } from '../cli-release/release.ts';
import type { WorkingCopy } from '../facts/working-copy.ts';
import { prepareRelease } from '../http/release-files.ts';
import type { PreparedResponse } from '../http/response/prepared-response.ts';
import type { Logger } from '../process/logger.ts';
import type { RateLimiter } from '../process/rate-limit.ts';
import { prepareFiles } from '../wiring.ts';
import { readerContext } from './reader-context.ts';

interface FollowedSettingsOptions {
  copy: WorkingCopy;
  config: ReaderConfig;
  program: BuiltProgram;
  logger: Logger;
  now: () => Date;
}

/** The context of pages, and files that need none. */
export interface Site {
  ctx: AppContext;
  /** Compresses files, which can take as long as a page. */
  prepareFiles: () => Promise<Map<string, PreparedResponse>>;
}

/** What the settings of the board determine. */
interface Made {
  /** The settings from which it was made. */
  key: string;
  config: AppContext['config'];
  files: Map<string, PreparedResponse> | null;
}

/** The program that the board serves, which contains its address. */
interface Served {
  address: string;
  released: Promise<Released>;
  files: Promise<Map<string, PreparedResponse>>;
}

/** The settings of the board, which the writer can change. */
export class FollowedSettings {
  readonly #options: FollowedSettingsOptions;
  #made: Made | null = null;
  #served: Served | null = null;
  #limiter: RateLimiter | null = null;

  constructor(options: FollowedSettingsOptions) {
    this.#options = options;
  }

  /** Creates the context of an edition from the facts in use. What does not change with it is kept. */
  async follow(publications: Pick<Publications, 'byId' | 'current'>): Promise<Site> {
    const { copy, logger, now } = this.#options;
    const made = await this.#make();
    const { config } = made;
    const served = this.serve(config.baseUrl);
    const { release } = await served.released;
    const own = readerContext({ config, store: copy.store, release, publications, logger, now });
    const ctx = { ...own, limiter: this.#limiterOf(own) };
    return {
      ctx,
      prepareFiles: async () => (made.files ??= await prepareFiles(ctx, await served.files)),
    };
  }

  /** Compresses the program for an address, unless that has begun. It takes as long as loading a board. */
  serve(address: string): Served {
    if (this.#served?.address === address) return this.#served;
    const released = releaseOf(this.#options.program, address);
    const files = released.then(prepareRelease);
    // `follow` reports the error.
    files.catch(() => undefined);
    return (this.#served = { address, released, files });
  }

  async #make(): Promise<Made> {
    const { copy, config } = this.#options;
    const settings = copy.settings as PublicConfig;
    const key = JSON.stringify([settings, copy.store.boardSettings.all()]);
    if (this.#made?.key === key) return this.#made;
    const files = await Promise.all(settings.siteFiles.map((file) => this.#load(file)));
    this.#made = { key, config: configFrom(config, settings, files), files: null };
    return this.#made;
  }

  async #load({
    address,
    media_type,
    sha256,
  }: PublicConfig['siteFiles'][number]): Promise<SiteFile> {
    const bytes = await this.#options.copy.file(sha256);
    return { address, mediaType: media_type, bytes: Buffer.from(bytes ?? []) };
  }

  /** Counts go on while the limits are the same. */
  #limiterOf({ limiter }: AppContext): RateLimiter {
    const isSame = JSON.stringify(this.#limiter?.limits) === JSON.stringify(limiter.limits);
    return (this.#limiter = isSame && this.#limiter ? this.#limiter : limiter);
  }
}
