import { nothingHere } from '#server/http/endpoint.ts';

export const ALL = nothingHere;
