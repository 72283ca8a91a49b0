type Labels = Readonly<Record<string, string>>;

/** Labels of Kubernetes' namespaces that a kubelet sets on its node. */
const KUBELET_LABELS = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);
const KUBELET_NAMESPACES = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const KUBERNETES_NAMESPACES = ['kubernetes.io', 'k8s.io'];

/** Returns the labels that a kubelet must not change on its own node, because others decide by them which pods it gets; sorted. Pure. */
export function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  const names = [...new Set([...Object.keys(labels), ...Object.keys(old)])];
  return names.filter((name) => labels[name] !== old[name] && !isKubelets(name)).sort();
}

function isKubelets(name: string): boolean {
  if (KUBELET_LABELS.has(name)) return true;
  const slash = name.indexOf('/');
  const namespace = slash < 0 ? '' : name.slice(0, slash);
  if (isWithin(namespace, KUBELET_NAMESPACES)) return true;
  return !isWithin(namespace, KUBERNETES_NAMESPACES);
}

function isWithin(namespace: string, outer: readonly string[]): boolean {
  return outer.some((one) => namespace === one || namespace.endsWith(`.${one}`));
}
