package validate

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// Which families a Service asks for.
const singleStack, preferDual, requireDual = "SingleStack", "PreferDualStack", "RequireDualStack"

// Addresses returns what is wrong with the addresses of a Service in a cluster that has IPv4 addresses alone
// (registry/core/service/storage/alloc.go:initIPFamilyFields). Whatever is wrong in itself hides the rest.
func Addresses(s *api.ServiceSpec) (es FieldErrors) {
	if es.addresses(s); len(es) > 0 {
		return es
	}
	policy := api.Given(s.IPFamilyPolicy)
	es.when(policy == singleStack && len(s.ClusterIPs) == 2).
		invalid("spec.ipFamilyPolicy", policy, "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified")
	es.when(policy == singleStack && len(s.IPFamilies) == 2).
		invalid("spec.ipFamilyPolicy", policy, "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified")
	for i, ip := range s.ClusterIPs {
		es.when(i >= len(s.IPFamilies) && isIPv6(ip)).invalid(item("spec.clusterIPs", i), s.ClusterIPs, "IPv6 is not configured on this cluster")
	}
	if len(es) > 0 || s.ClusterIP == api.HeadlessIP && len(s.Selector) == 0 {
		return es
	}
	es.when(policy == requireDual).invalid("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services")
	for i, family := range s.IPFamilies {
		es.when(family != "IPv4").invalid(item("spec.ipFamilies", i), family, "not configured on this cluster")
	}
	return es
}

// addresses checks a Service's addresses and their families (validation.go:ValidateServiceClusterIPsRelatedFields).
func (es *FieldErrors) addresses(s *api.ServiceSpec) {
	ips, families := s.ClusterIPs, s.IPFamilies
	if s.Type == api.ExternalName {
		return
	}
	switch {
	case s.ClusterIP != "" && len(ips) > 0 && ips[0] != s.ClusterIP:
		es.invalid("spec.clusterIPs", ips, "first value must match `clusterIP`")
	case s.ClusterIP == "" && len(ips) > 0:
		es.invalid("spec.clusterIPs", ips, "must be empty when `clusterIP` is not specified")
	}
	seen := map[string]bool{}
	for i, family := range families {
		breath.Often()
		es.oneOf(item("spec.ipFamilies", i), family, "IPv4", "IPv6")
		es.when(seen[family]).duplicate(item("spec.ipFamilies", i), family)
		seen[family] = true
	}
	es.oneOfPtr("spec.ipFamilyPolicy", s.IPFamilyPolicy, preferDual, requireDual, singleStack)
	before := len(*es)
	headless := len(ips) > 0 && ips[0] == api.HeadlessIP
	es.when(headless && len(ips) > 1).invalid("spec.clusterIPs", ips, "'None' must be the first and only value")
	for i, ip := range ips {
		breath.Often()
		if i > 0 || !headless {
			es.invalids(item("spec.clusterIPs", i), ip, checkIP(ip))
		}
	}
	wrong := len(*es) > before
	if es.when(len(ips) > 2).invalid("spec.clusterIPs", ips, "may only hold up to 2 values"); wrong {
		return
	}
	es.when(len(ips) > 1 && (len(ips) > 2 || isIPv6(ips[0]) == isIPv6(ips[1]))).
		invalid("spec.clusterIPs", ips, "may specify no more than one IP for each IP family")
	for i := range ips[:min(len(ips), len(families), 2)] {
		has := "IPv4"
		if isIPv6(ips[i]) {
			has = "IPv6"
		}
		es.when(!headless && families[i] != has && (families[i] == "IPv4" || families[i] == "IPv6")).
			invalid(item("spec.clusterIPs", i), ips[i], "expected an "+families[i]+" value as indicated by `ipFamilies["+strconv.Itoa(i)+"]`")
	}
}

// checkIP checks an address.
//
// Simplified: of IPv6 addresses only the letters.
func checkIP(text string) []string {
	parts := strings.Split(text, ".")
	if isIPv6(text) && strings.Trim(text, "0123456789abcdefABCDEF:.") == "" {
		return nil
	}
	zeros := false
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if len(parts) != 4 || err != nil {
			return []string{"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"}
		}
		zeros = zeros || parts[i] != strconv.Itoa(int(n))
	}
	if zeros {
		return []string{"must not have leading 0s"}
	}
	return nil
}

func isIPv6(ip string) bool { return strings.Contains(ip, ":") }

// InServiceRange says whether a Service may have an address: one within 10.96.0.0/12.
func InServiceRange(ip string) bool {
	parts := strings.Split(ip, ".")
	second, _ := strconv.Atoi(parts[min(1, len(parts)-1)])
	return parts[0] == "10" && second >= 96 && second < 112
}
