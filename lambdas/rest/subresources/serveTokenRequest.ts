import type { TokenRequest } from 'kubernetes-types/authentication/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { formatTime } from '../../ports/Clock.ts';
import { refuseToken } from '../nodeauthorizer/restrictNodeActions.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { respondValue, valueForm } from '../response/respond.ts';
import { methodNotAllowed } from '../response/statusOf.ts';
import { requireObject } from '../verbs/serveGet.ts';
import { claimsFor, refuseOtherPlace, refuseWish, type TokenWish, wishOf } from './decideTokenRequest.ts';
import { observeBinding } from './observeBinding.ts';

const KIND = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' } as const;

/** Answers `POST serviceaccounts/NAME/token` (`kubectl create token`) with a signed token for the account: Kubernetes' TokenREST. */
export async function serveTokenRequest(request: ResourceRequest): Promise<Response> {
  const { info, dependencies } = request;
  if (info.verb !== 'create') throw methodNotAllowed();
  const form = valueForm(request.raw);
  const { fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const asked = (await decodeRequest(request, fieldValidation, KIND)) as Partial<TokenRequest>;
  const elsewhere = refuseOtherPlace(asked, info);
  if (elsewhere) throw elsewhere;
  const account = await requireObject(request);
  const wish = wishOf(asked.spec);
  const { namespace, name } = info;
  const action = { ...dependencies, user: request.user, namespace, name };
  const refusal = refuseWish(asked.metadata?.uid, wish, account) ?? (await refuseToken(action, asked.spec ?? {}));
  if (refusal) throw refusal;
  const binding = await observeBinding(dependencies.registry, info, wish.boundObjectRef);
  const nowMs = dependencies.clock.now();
  const token = await dependencies.tokens.sign(
    claimsFor(account, wish, binding, { id: dependencies.ids.uid(), nowMs }),
  );
  return respondValue(request.raw, answer(asked, account, wish, { token, nowMs }), 201, form);
}

interface Issued {
  readonly token: string;
  readonly nowMs: number;
}

function answer(
  asked: Partial<TokenRequest>,
  { metadata }: KubernetesObject,
  wish: TokenWish,
  { token, nowMs }: Issued,
) {
  const { name, namespace, uid } = metadata;
  const { audiences, expirationSeconds, boundObjectRef = null } = wish;
  return {
    ...KIND,
    metadata: { ...asked.metadata, name, namespace, uid, creationTimestamp: formatTime(nowMs) },
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: { token, expirationTimestamp: formatTime(nowMs + expirationSeconds * 1_000) },
  };
}
