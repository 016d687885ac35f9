import { getMetricLeaders } from '#core/contract/metrics.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readMetricLeaders } from '#server/board/metric-page.ts';

export const ALL = endpoint(
  bind(getMetricLeaders, ({ ctx, query }) => ({ body: readMetricLeaders(ctx, query) })),
);
