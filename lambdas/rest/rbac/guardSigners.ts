import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.js';
import { forbidden } from '../../objects/apiErrors.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Registry, UpdateOptions } from '../../registry/Registry.ts';
import type { Authorizer } from './createRbacAuthorizer.ts';
import type { UserInfo } from './UserInfo.ts';

const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';

type Request = Stored<CertificateSigningRequest>;

/**
 * Kubernetes' CertificateApproval and CertificateSigning admission: a decision about a request needs the permission to `approve` requests to its signer, and a certificate the permission to `sign` for it. Otherwise
 * a user who may write requests' status could make anybody's certificate.
 */
export function guardSigners(registry: Registry, authorizer: Authorizer, user: UserInfo): Registry {
  return {
    ...registry,
    async update(resource, object, options) {
      if (resource !== REQUESTS) return await registry.update(resource, object, options);
      const { name } = object.metadata;
      const old = (options?.from ?? (await registry.get({ resource, namespace: '', name }))) as Request | undefined;
      const verb = old && neededVerb(object, old, options?.subresource);
      const signer = old?.spec?.signerName ?? '';
      if (verb === undefined || (await mayUse(authorizer, user, verb, signer)))
        return await registry.update(resource, object, options);
      const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`;
      return { status: 'refused', error: forbidden(resource, name, why) };
    },
  };
}

function neededVerb(
  object: KubernetesObject,
  old: Request,
  subresource: UpdateOptions<KubernetesObject>['subresource'],
): 'approve' | 'sign' | undefined {
  if (subresource === 'approval') return 'approve';
  const { status } = object as Request;
  return subresource === 'status' && status?.certificate !== old.status?.certificate ? 'sign' : undefined;
}

/** The permission is for one signer, or for all of a domain: `kubernetes.io/*`. */
async function mayUse(authorizer: Authorizer, user: UserInfo, verb: string, signer: string): Promise<boolean> {
  const place = { group: 'certificates.k8s.io', resource: 'signers', subresource: '', namespace: '' };
  const names = [signer, `${signer.split('/')[0]}/*`];
  const answers = await Promise.all(names.map((name) => authorizer.allows(user, { verb, ...place, name })));
  return answers.includes(true);
}
