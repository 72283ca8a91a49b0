import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import type { ConversionWebhooks, WebhookConversion } from '../../customresources/conversion/ConversionWebhooks.ts';
import type { RegistryContext } from '../../RegistryContext.ts';
import { type ResourceEntry, storageApiVersion } from '../../ResourceEntry.ts';
import { fromServed, groupVersionOf, toServed } from '../../versions/convertVersion.ts';
import type { AdmissionAttributes } from './AdmissionAttributes.ts';

type VersionConversions = Pick<AdmissionAttributes, 'inVersion' | 'fromVersion'>;

/** Converts the objects of a write, which are as the version of this entry knows them, to other versions and back: by the webhook of the definition, if it has one. */
export function conversionsOf(
  { conversions }: RegistryContext,
  entry: ResourceEntry,
  budget: RequestBudget,
): VersionConversions {
  const conversion = entry.custom?.conversion;
  if (conversion && conversions) return byWebhook(conversions, conversion, entry, budget);
  return {
    inVersion: (object, ...to) => Promise.resolve(toServed(entry, object, groupVersionOf(...to))),
    fromVersion: (object, ...from) => Promise.resolve(fromServed(entry, object, groupVersionOf(...from))),
  };
}

function byWebhook(
  conversions: ConversionWebhooks,
  conversion: WebhookConversion,
  entry: ResourceEntry,
  budget: RequestBudget,
): VersionConversions {
  const own = groupVersionOf(entry.group, entry.versions[0]?.version ?? entry.storageVersion);
  const convert = async (object: KubernetesObject, from: string, to: string) => {
    const [converted] = await conversions.convert(conversion, [{ ...object, apiVersion: from }], to, budget);
    return converted as KubernetesObject;
  };
  return {
    inVersion: (object, ...to) => convert(object, own, groupVersionOf(...to)),
    async fromVersion(object, ...from) {
      const converted = await convert(object, groupVersionOf(...from), own);
      return fromServed(entry, converted, storageApiVersion(entry));
    },
  };
}
