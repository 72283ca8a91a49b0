import type {
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from 'kubernetes-types/certificates/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { type Fields, fieldsOf, itemsOf, textOf } from '../fieldsOf.ts';

/** The decisions about a CertificateSigningRequest. Only the subresource `approval` changes them. */
export const DECISIONS = ['Approved', 'Denied'];

export function statusOf(object: KubernetesObject): Fields<CertificateSigningRequestStatus> {
  return fieldsOf<CertificateSigningRequestStatus>(object['status']);
}

export function conditionsOf(object: KubernetesObject): readonly Fields<CertificateSigningRequestCondition>[] {
  return itemsOf<CertificateSigningRequestCondition>(statusOf(object).conditions);
}

export function certificateOf(object: KubernetesObject): string {
  return textOf(statusOf(object).certificate);
}

export function typesOf(object: KubernetesObject): string[] {
  return conditionsOf(object).map(({ type }) => textOf(type));
}

export function countOf(object: KubernetesObject, wanted: string): number {
  return typesOf(object).filter((type) => type === wanted).length;
}
