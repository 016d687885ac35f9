import { INTERFACE_VERSION, getOpenApi } from '#core/contract/interface.ts';
import { openApiDocument } from '#core/contract/openapi/openapi.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(getOpenApi, ({ ctx }) => {
    const { baseUrl, site } = ctx.config;
    const options = { baseUrl, version: INTERFACE_VERSION, title: site.name };
    return { body: { ...openApiDocument(ROUTE_TABLE.operations, options) } };
  }),
);
