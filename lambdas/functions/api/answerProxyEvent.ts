import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../../objects/ApiError.ts';
import { internalError, statusOf } from '../../rest/response/statusOf.ts';
import type { Log } from '../createLog.ts';
import { type ApiEnvironment, fromProxyEvent, userOf } from './fromProxyEvent.ts';

/** Answers one request. `environment` carries the authenticated user. */
export type Fetch = (request: Request, environment: ApiEnvironment) => Promise<Response>;

/** Answers a proxy event with the application. Never rejects: an event that makes no valid request gets a 400, and a failure of the application a 500. */
export async function answerProxyEvent(fetch: Fetch, log: Log, event: APIGatewayProxyEvent): Promise<Response> {
  let request: Request;
  try {
    request = fromProxyEvent(event);
  } catch (error) {
    log({ level: 'info', msg: 'invalid request', error: String(error) });
    return refuse(new ApiError('BadRequest', 'the server could not understand the request'));
  }
  try {
    return await fetch(request, { user: userOf(event), remoteAddress: event.requestContext.identity?.sourceIp });
  } catch (error) {
    log({ level: 'error', msg: 'the application failed', error: describe(error) });
    return refuse(internalError(error));
  }
}

function refuse(error: ApiError): Response {
  return Response.json(statusOf(error), { status: error.code });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
