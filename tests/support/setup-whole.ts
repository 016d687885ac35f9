/** Checks every request of a test with a whole server against the contract. */
import { Contract, strictFetch } from './http/contract.ts';
import { aDocument } from './http/openapi.ts';

// Files share a worker, and this runs before each of them.
const shared = globalThis as { hasStrictFetch?: boolean };
if (!shared.hasStrictFetch) {
  globalThis.fetch = strictFetch(new Contract(aDocument()), globalThis.fetch);
  shared.hasStrictFetch = true;
}
