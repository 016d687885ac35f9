/** Every request of a whole-server test goes through the contract. */
import { Contract, strictFetch } from './http/contract.ts';
import { aDocument } from './http/openapi.ts';

globalThis.fetch = strictFetch(new Contract(aDocument()), globalThis.fetch);
