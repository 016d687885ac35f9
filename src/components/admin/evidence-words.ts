import type { Evidence } from '#server/admin-pages/evidence.ts';

/** What the chart of a submission on hold shows. */
export function measureWords({ measure, tool }: Pick<Evidence, 'measure' | 'tool'>): string {
  switch (measure) {
    case 'output':
      return 'Output tokens in a day';
    case 'total':
      return 'Tokens in a day';
    case 'yield':
      return `Yield of a day with ${tool ?? 'all tools'}`;
  }
}
