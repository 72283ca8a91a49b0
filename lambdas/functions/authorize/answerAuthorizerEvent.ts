import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Authenticate } from './createAuthenticator.ts';

/** API Gateway answers 401 to the client when, and only when, the error says exactly this. */
const NOBODY = 'Unauthorized';

/**
 * Answers API Gateway's question who sends a request. Whoever we know is let through to the whole API, since the answer is kept for all of the token's
 * requests; what they may do there is decided there. Throws `Unauthorized` for nobody, and what `authenticate` throws, which is a 500.
 */
export async function answerAuthorizerEvent(
  authenticate: Authenticate,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> {
  const user = await authenticate(authorizationOf(event));
  if (!user) throw new Error(NOBODY);
  const { username, uid, groups } = user;
  return {
    principalId: username,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeStage(event.methodArn) }],
    },
    context: { username, uid, groups: JSON.stringify(groups) },
  };
}

/** Every value, also of a header that was sent twice or in another case. */
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
  if (!api || !stage) throw new Error(`no method of an API: ${methodArn}`);
  return `${api}/${stage}/*`;
}
