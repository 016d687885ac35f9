import { readReaderConfig } from '#server/config/reader-config.ts';
import { command } from '../command.ts';
import { runServer } from './serve.ts';

export const read = command({
  help: `opbench-board read: show a board that another machine runs

Usage: opbench-board read [--env-file FILE]

  --env-file FILE  a file with settings; the environment takes precedence

A reader answers visitors from what the board publishes in its object store. It
has no database and no data folder, so you can run any number of them behind a
load balancer. Requests that change something, sign-in and live data go to the
machine that runs the board, the writer. If that machine is down, published pages
still work.

Settings:
  OBJECT_STORE_URL                 the object store of the board
  OBJECT_STORE_ACCESS_KEY_ID       credentials that may read it, or the names of
  OBJECT_STORE_SECRET_ACCESS_KEY   files with them in NAME_FILE
  WRITER_URL                       where other requests go, such as
                                   http://10.0.0.5:4321

HOST, PORT, TRUST_PROXY, LOG_REQUESTS and METRICS_LISTEN work as for serve. All
other settings come from the board. Add the address of each reader to TRUST_PROXY
of the writer, so that it counts requests by visitor.

A reader asks the object store every second what to show. If it gets no answer for
30 seconds, it shows nothing until it does, because something may have been hidden
meanwhile.

Example: OBJECT_STORE_URL=https://s3.example.org/board opbench-board read
`,
  isMute: true,
  keepsUser: true,
  async run(_given, _output, { environment }) {
    const { root } = readReaderConfig(environment);
    return runServer(root, { ...environment, OPBENCH_ROLE: 'reader' });
  },
});
