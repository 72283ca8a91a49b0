import { type ApiAppOptions, createApiApp } from '../../rest/createApiApp.ts';

/** Answers one request; watches are answers whose bodies go on. */
export type ApiHandler = (request: Request) => Promise<Response>;

/** The REST API as a function of Web requests, for whatever receives them. Never rejects. */
export function createApiHandler(options: ApiAppOptions): ApiHandler {
  const app = createApiApp(options);
  return async (request) => await app.fetch(request);
}
