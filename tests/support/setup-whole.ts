/** Every request of a whole-server test goes through the contract. */
import { Contract, strictFetch } from './contract.ts';
import { aDocument } from './openapi.ts';

globalThis.fetch = strictFetch(new Contract(aDocument()), globalThis.fetch);
