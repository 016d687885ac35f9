/** What a page says about reading the board. */
interface VisitWords {
  result: string;
  logged: string;
}

const LINE =
  'its time, its method, the kind of address (such as /operators/*, never which one), the status of the response, how long it took, whether you left first, and a random number that the response also carries';
const NOBODY =
  'No line contains a network address, a name, a token, an email address or a browser, or shows which requests came from the same reader';

/** What the server logs about requests, by which of them it logs. */
export const VISIT_WORDS: Readonly<Record<'all' | 'errors' | 'none', VisitWords>> = {
  all: {
    result: 'Requests are logged without showing whose they are.',
    logged: `The server log has a line for each request: ${LINE}. ${NOBODY}.`,
  },
  errors: {
    result: 'Only failed requests are logged, without showing whose they are.',
    logged: `The server log has a line for each request that the board failed to answer: ${LINE}. ${NOBODY}. Other requests leave no line.`,
  },
  none: {
    result: 'Requests are not logged.',
    logged:
      'The server log has no line for requests. It notes failures of the board, without network address, name, token or email address.',
  },
};
