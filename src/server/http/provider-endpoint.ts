import type { APIRoute } from 'astro';
import type { LimitName } from '#core/contract/limits.ts';
import { networkOf } from '../process/client-network.ts';
import { signsInElsewhere } from '../identity/provider/board-provider.ts';
import { problemResponse } from './endpoint.ts';

/**
 * Serves one of the provider's own addresses, which answers as OAuth says and not with problems.
 *
 * @param policy What requests count against besides, by network.
 */
export function providerEndpoint(policy?: LimitName): APIRoute {
  return async (context) => {
    const { ctx, client } = context.locals;
    try {
      if (policy) ctx.limiter.take(policy, networkOf(client));
      const { answer } = ctx.provider;
      if (!answer) throw signsInElsewhere(ctx.provider);
      return await answer(context.request, client);
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}
