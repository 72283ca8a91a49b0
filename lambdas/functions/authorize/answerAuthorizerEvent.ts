import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { encodeClaims } from '../../rest/authentication/TokenClaims.ts';
import type { Authenticate } from './createAuthenticator.ts';

/** The client gets a 401 only if the error's message is exactly this. API Gateway makes a 500 of any other. */
const UNAUTHORIZED = 'Unauthorized';

/**
 * Answers API Gateway's question who sends a request. A known user is allowed to call the whole API, since API Gateway caches the answer for all requests with
 * the token; the API itself checks what the user may do. Throws `Unauthorized` for an unknown user, and the errors of `authenticate`, which become a 500.
 */
export async function answerAuthorizerEvent(
  authenticate: Authenticate,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> {
  const user = await authenticate(authorizationOf(event));
  if (!user) throw new Error(UNAUTHORIZED);
  const { username, uid, groups, claims } = user;
  return {
    principalId: username,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeStage(event.methodArn) }],
    },
    context: { username, uid, groups: JSON.stringify(groups), ...(claims && { claims: encodeClaims(claims) }) },
  };
}

/** Returns every value of the header, even if it was sent twice or in different cases. */
function authorizationOf({ headers, multiValueHeaders }: APIGatewayRequestAuthorizerEvent): readonly string[] {
  const named = <V>(all: Readonly<Record<string, V | undefined>> | null): V[] =>
    Object.entries(all ?? {}).flatMap(([name, value]) =>
      name.toLowerCase() === 'authorization' && value !== undefined ? [value] : [],
    );
  const every = named(multiValueHeaders).flat();
  return every.length > 0 ? every : named(headers);
}

/** `arn:aws:execute-api:eu-central-1:111122223333:api-id/stage/GET/api/v1/pods` → `…:api-id/stage/*` */
function wholeStage(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  if (!api || !stage) throw new Error(`not the ARN of an API's method: ${methodArn}`);
  return `${api}/${stage}/*`;
}
