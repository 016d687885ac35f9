/** The part of the package that tests use. It has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly httpServer: Server;
    readonly logger: { silent: boolean };
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
