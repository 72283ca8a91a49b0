import { applyFieldRefDefaults, defaultPullPolicy } from './applyContainerDefaults.ts';
import {
  canonicalizeQuantity,
  canonicalizeResourceList,
  childDraft,
  type Draft,
  fillAbsent,
  fillZero,
  isDraft,
  itemDrafts,
  presentDraft,
} from './drafts.ts';

/** The default mode of files from config maps, secrets and the downward API: 0644. */
const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3_600;

/** The defaults of each volume source. Other sources have none. */
const SOURCE_DEFAULTS: Readonly<Record<string, (source: Draft) => void>> = {
  secret: (source) => fillAbsent(source, 'defaultMode', FILE_MODE),
  configMap: (source) => fillAbsent(source, 'defaultMode', FILE_MODE),
  downwardAPI: (source) => {
    fillAbsent(source, 'defaultMode', FILE_MODE);
    for (const item of itemDrafts(source, 'items')) applyFieldRefDefaults(item);
  },
  projected: applyProjectedDefaults,
  hostPath: (source) => fillAbsent(source, 'type', ''),
  emptyDir: (source) => canonicalizeQuantity(source, 'sizeLimit'),
  ephemeral: applyEphemeralDefaults,
  image: (source) => fillZero(source, 'pullPolicy', defaultPullPolicy(source['reference'])),
  iscsi: (source) => fillZero(source, 'iscsiInterface', 'default'),
  rbd: (source) => {
    fillZero(source, 'pool', 'rbd');
    fillZero(source, 'user', 'admin');
    fillZero(source, 'keyring', '/etc/ceph/keyring');
  },
  azureDisk: (source) => {
    fillAbsent(source, 'cachingMode', 'ReadWrite');
    fillAbsent(source, 'kind', 'Shared');
    fillAbsent(source, 'fsType', 'ext4');
    fillAbsent(source, 'readOnly', false);
  },
  scaleIO: (source) => {
    fillZero(source, 'storageMode', 'ThinProvisioned');
    fillZero(source, 'fsType', 'xfs');
  },
};

/** Fills in the defaults of a pod's volume. A volume without a source becomes an emptyDir. */
export function applyVolumeDefaults(volume: Draft): void {
  if (!Object.entries(volume).some(([field, value]) => field !== 'name' && value !== null && value !== undefined)) {
    volume['emptyDir'] = {};
  }
  for (const [field, source] of Object.entries(volume)) {
    if (isDraft(source) && Object.hasOwn(SOURCE_DEFAULTS, field)) SOURCE_DEFAULTS[field]?.(source);
  }
}

function applyProjectedDefaults(projected: Draft): void {
  fillAbsent(projected, 'defaultMode', FILE_MODE);
  for (const source of itemDrafts(projected, 'sources')) {
    for (const item of itemDrafts(presentDraft(source, 'downwardAPI') ?? {}, 'items')) applyFieldRefDefaults(item);
    const token = presentDraft(source, 'serviceAccountToken');
    if (token !== undefined) fillAbsent(token, 'expirationSeconds', TOKEN_SECONDS);
  }
}

function applyEphemeralDefaults(ephemeral: Draft): void {
  const template = presentDraft(ephemeral, 'volumeClaimTemplate');
  if (template === undefined) return;
  const spec = childDraft(template, 'spec');
  fillAbsent(spec, 'volumeMode', 'Filesystem');
  const resources = childDraft(spec, 'resources');
  canonicalizeResourceList(resources, 'limits');
  canonicalizeResourceList(resources, 'requests');
}
