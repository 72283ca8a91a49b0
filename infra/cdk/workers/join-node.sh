#!/bin/bash
# Makes an EC2 instance with Amazon Linux 2023 a node of a Driftless control plane in AWS. Run it as root, once, as user data or by hand:
#
#   CLUSTER_ID=… SERVER=https://…/k8s REGION=eu-central-1 KUBERNETES_VERSION=1.34 bash join-node.sh
#
# CLUSTER_ID and SERVER are the outputs ClusterId and ApiUrl of the stack. The instance needs an instance profile whose role is among the
# stack's identities, as system:node:{{EC2PrivateDNSName}} in system:nodes; the role itself needs no permissions. It also needs a way to the
# internet, for packages, images, STS and API Gateway. With DIRECT_SERVER, the output DirectUrl, the kubelet calls the API's container there,
# which is cheaper.
#
# Pods get addresses of a bridge of this machine and reach the outside through it, but not the pods of other nodes: replace the network
# below by a CNI plugin of your own for that.
set -euo pipefail
: "${CLUSTER_ID:?}" "${SERVER:?}" "${REGION:?}" "${KUBERNETES_VERSION:?}"

install_packages() {
  local repository="https://pkgs.k8s.io/core:/stable:/v${KUBERNETES_VERSION}/rpm/"
  cat >/etc/yum.repos.d/kubernetes.repo <<EOF
[kubernetes]
name=Kubernetes
baseurl=${repository}
enabled=1
gpgcheck=1
gpgkey=${repository}repodata/repomd.xml.key
EOF
  dnf install -y containerd conntrack-tools cri-tools iptables-nft kubectl kubelet kubernetes-cni
}

start_containerd() {
  printf '%s\n' overlay br_netfilter >/etc/modules-load.d/kubernetes.conf
  modprobe -a overlay br_netfilter
  printf '%s = 1\n' net.ipv4.ip_forward net.bridge.bridge-nf-call-iptables >/etc/sysctl.d/99-kubernetes.conf
  sysctl --system >/dev/null
  mkdir -p /etc/containerd /etc/cni/net.d
  containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' >/etc/containerd/config.toml
  cat >/etc/cni/net.d/10-bridge.conflist <<'EOF'
{
  "cniVersion": "1.0.0",
  "name": "bridge",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "cni0",
      "isGateway": true,
      "ipMasq": true,
      "hairpinMode": true,
      "ipam": { "type": "host-local", "ranges": [[{ "subnet": "10.88.0.0/16" }]], "routes": [{ "dst": "0.0.0.0/0" }] }
    },
    { "type": "portmap", "capabilities": { "portMappings": true } }
  ]
}
EOF
  systemctl enable containerd
  systemctl restart containerd
}

# A kubelet presents the instance's role: the AWS CLI signs a request to STS, which is the token. $1 says how the API is reached.
write_kubeconfig() {
  mkdir -p /etc/kubernetes
  cat >/etc/kubernetes/kubelet.conf <<EOF
apiVersion: v1
kind: Config
clusters:
  - name: driftless
    cluster: { $1 }
users:
  - name: node
    user:
      exec:
        apiVersion: client.authentication.k8s.io/v1beta1
        command: aws
        args: [--region, "${REGION}", eks, get-token, --cluster-name, "${CLUSTER_ID}", --output, json]
        interactiveMode: Never
contexts:
  - name: driftless
    context: { cluster: driftless, user: node }
current-context: driftless
EOF
}

as_node() {
  kubectl --kubeconfig=/etc/kubernetes/kubelet.conf "$@"
}

# The control plane may be younger than this instance, so this waits until it knows the role. What it says is the name that EC2 knows.
node_name() {
  local user
  until user=$(as_node auth whoami -o 'jsonpath={.status.userInfo.username}') && [[ ${user} == system:node:* ]]; do
    echo "not a node yet: ${user:-no answer}" >&2
    sleep 10
  done
  echo "${user#system:node:}"
}

metadata() {
  local token
  token=$(curl -sSf -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' http://169.254.169.254/latest/api/token)
  curl -sSf -H "X-aws-ec2-metadata-token: ${token}" "http://169.254.169.254/latest/meta-data/$1"
}

# The kubelet answers only the API server, whose certificate is of the cluster's authority. Its own certificate is signed by that, too, once
# somebody has approved it: kubectl get csr, kubectl certificate approve NAME.
configure_kubelet() {
  local name zone instance
  name=$(node_name)
  zone=$(metadata placement/availability-zone)
  instance=$(metadata instance-id)
  until as_node -n kube-system get configmap extension-apiserver-authentication \
    -o 'jsonpath={.data.client-ca-file}' >/etc/kubernetes/client-ca.crt; do
    sleep 10
  done
  if [[ -n ${DIRECT_SERVER:-} ]]; then
    write_kubeconfig "server: \"${DIRECT_SERVER}\", certificate-authority: /etc/kubernetes/client-ca.crt"
  fi
  cat >/etc/kubernetes/kubelet.yaml <<EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  x509: { clientCAFile: /etc/kubernetes/client-ca.crt }
cgroupDriver: systemd
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
providerID: aws:///${zone}/${instance}
serverTLSBootstrap: true
EOF
  mkdir -p /etc/systemd/system/kubelet.service.d
  cat >/etc/systemd/system/kubelet.service.d/20-driftless.conf <<EOF
[Unit]
After=containerd.service

[Service]
ExecStart=
ExecStart=/usr/bin/kubelet --config=/etc/kubernetes/kubelet.yaml --kubeconfig=/etc/kubernetes/kubelet.conf --hostname-override=${name} --node-labels=topology.kubernetes.io/zone=${zone},topology.kubernetes.io/region=${REGION}
EOF
}

install_packages
start_containerd
write_kubeconfig "server: \"${SERVER}\""
configure_kubelet
systemctl daemon-reload
systemctl enable kubelet
systemctl restart kubelet
