package print

// kubernetesVersion is the version that is played: kubectl, the API server and the kubelets have the same.
const KubernetesVersion = "v1.37.1"
