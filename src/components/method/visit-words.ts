/** What is told of reading. */
interface VisitWords {
  result: string;
  logged: string;
}

const LINE =
  'when it came, its method, the kind of address (such as /operators/*, never which), the status of the answer, how long it took, whether you left first, and a random number that the answer carries, too';
const NOBODY =
  'No line tells a network address, a name, a token, a mail address or a browser, or which requests are of the same reader';

/** What the server writes down of requests, by which of them its log has a line for. */
export const VISIT_WORDS: Readonly<Record<'all' | 'errors' | 'none', VisitWords>> = {
  all: {
    result: 'Requests are written down, and not whose they are.',
    logged: `The log of the server has a line for each request: ${LINE}. ${NOBODY}.`,
  },
  errors: {
    result: 'Only requests that failed are written down, and not whose they are.',
    logged: `The log of the server has a line for each request that the board failed to answer: ${LINE}. ${NOBODY}. Other requests leave no line.`,
  },
  none: {
    result: 'Nothing is written down of who reads.',
    logged:
      'The log of the server has no line for requests. What fails in the board is noted there, without network address, name, token or mail address.',
  },
};
