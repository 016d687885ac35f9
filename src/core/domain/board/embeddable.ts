import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** A page that other sites can describe or embed. */
export type Embeddable =
  | {
      kind: 'board';
      window: WindowName;
      metric: MetricName;
      tool: string | null;
      /** Whether it has no filter that the small board lacks. */
      isWhole: boolean;
    }
  | { kind: 'operator'; codename: string }
  | { kind: 'challenge'; id: string; title: string };

/** The path of the small board for frames. */
export const EMBED_PATH = '/embed/board';

/** The path of a page's description for embedding. */
export function oembedPath(url: string): string {
  return `/oembed?${new URLSearchParams({ url })}`;
}
