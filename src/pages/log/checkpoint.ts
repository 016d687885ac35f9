import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readCheckpoint } from '#server/public-log/proofs.ts';

export const GET = textEndpoint('text/plain', ({ locals: { ctx } }) => readCheckpoint(ctx).note);
