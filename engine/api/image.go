package api

import (
	"errors"
	"fmt"
	"strings"
)

// Image is the reference of an image in parts, such as registry:5000/a/web, 1.2 and sha256:….
type Image struct{ Name, Tag, Digest string }

// SplitImage returns the parts of a reference, which need not be valid. A part that it does not have is empty.
func SplitImage(text string) Image {
	name, digest, _ := strings.Cut(text, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		return Image{name[:i], name[i+1:], digest}
	}
	return Image{name, "", digest}
}

// Base is the last part of the name: web.
func (i Image) Base() string { return baseName(i.Name) }

// FullImage adds the registry that a reference means: docker.io/library/nginx:1 for nginx:1.
func FullImage(text string) string {
	host, path := imageHost(text)
	return host + "/" + path
}

// imageHost splits a reference into its registry and the rest (distribution/reference, splitDockerDomain). What comes before the first
// slash is a registry if it looks like one.
func imageHost(text string) (host, path string) {
	host, path, found := strings.Cut(text, "/")
	if !found || !strings.ContainsAny(host, ".:") && host != "localhost" && strings.ToLower(host) == host {
		host, path = "docker.io", text
	}
	if host == "index.docker.io" {
		host = "docker.io"
	}
	if host == "docker.io" && !strings.Contains(path, "/") {
		path = "library/" + path
	}
	return host, path
}

// Characters of the parts of a reference.
const (
	digits  = "0123456789"
	small   = digits + "abcdefghijklmnopqrstuvwxyz"
	letters = small + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hex     = digits + "abcdefABCDEF"
)

// consists reports whether a text has characters, all of them from a set.
func consists(text, of string) bool { return text != "" && strings.Trim(text, of) == "" }

// CheckImage returns why no kubelet can read a reference (distribution/reference, ParseNormalizedNamed), or nil if it is valid. The
// library itself would add the engine of regular expressions to the download, 60 kB.
func CheckImage(text string) error {
	if len(text) == 64 && consists(text, "0123456789abcdef") {
		return fmt.Errorf("invalid repository name (%s), cannot specify 64-byte hexadecimal strings", text)
	}
	host, path := imageHost(text)
	name, _, _ := strings.Cut(path, ":")
	if strings.ToLower(name) != name {
		return fmt.Errorf("invalid reference format: repository name (%s) must be lowercase", name)
	}
	full := host + "/" + path
	name, valid := parseImage(full)
	if !valid {
		if _, valid := parseImage(strings.ToLower(full)); valid {
			return errors.New("repository name must be lowercase")
		}
		return errors.New("invalid reference format")
	}
	if len(name) > 255 {
		return errors.New("repository name must not be more than 255 characters")
	}
	return checkDigest(SplitImage(path).Digest)
}

// IsImage says whether a text has the form of a reference.
func IsImage(text string) bool {
	_, valid := parseImage(text)
	return valid
}

// parseImage returns the name in a reference, without the registry, and whether all parts have the right characters.
func parseImage(text string) (name string, valid bool) {
	i := SplitImage(text)
	host, name, found := strings.Cut(i.Name, "/")
	if !found || !isImageHost(host) {
		name = i.Name
	}
	for part := range strings.SplitSeq(name, "/") {
		if !isImagePart(part) {
			return name, false
		}
	}
	rest := text[len(i.Name):] // both may be absent, but not empty
	tag, digest, digested := strings.Cut(rest, "@")
	return name, (tag == "" || isImageTag(tag[1:])) && (!digested || isDigest(digest))
}

// isImageHost reports whether a text is a name or an address, and perhaps a port: registry.example:5000, [::1].
func isImageHost(text string) bool {
	host, port, ported := strings.Cut(text, ":")
	if address, rest, found := strings.Cut(text, "]"); found {
		return strings.HasPrefix(address, "[") && consists(address[1:], hex+":") && (rest == "" || rest[0] == ':' && consists(rest[1:], digits))
	}
	for label := range strings.SplitSeq(host, ".") {
		if !consists(label, letters+"-") || strings.Trim(label, "-") != label {
			return false
		}
	}
	return !ported || consists(port, digits)
}

// isImagePart reports whether a text has lower-case letters and digits, with a dot, one or two underscores or any number of dashes
// between them.
func isImagePart(text string) bool {
	for {
		rest := strings.TrimLeft(text, small)
		switch {
		case rest == text:
			return false
		case rest == "":
			return true
		case rest[0] == '-':
			text = strings.TrimLeft(rest, "-")
		case strings.HasPrefix(rest, "__"):
			text = rest[2:]
		case rest[0] == '.' || rest[0] == '_':
			text = rest[1:]
		default:
			return false
		}
	}
}

func isImageTag(text string) bool {
	return len(text) <= 128 && consists(text, letters+"_.-") && text[0] != '.' && text[0] != '-'
}

// isDigest reports whether a text is an algorithm, whose words begin with a letter, and 32 hexadecimal digits or more.
func isDigest(text string) bool {
	algorithm, sum, _ := strings.Cut(text, ":")
	for word := range strings.SplitSeq(strings.NewReplacer("-", ".", "_", ".", "+", ".").Replace(algorithm), ".") {
		if !consists(word, letters) || strings.Contains(digits, word[:1]) {
			return false
		}
	}
	return len(sum) >= 32 && consists(sum, hex)
}

// hexDigits is the length of a digest of each algorithm.
var hexDigits = map[string]int{"sha256": 64, "sha384": 96, "sha512": 128}

// checkDigest returns why a digest is not valid (opencontainers/go-digest). An image may have none.
func checkDigest(digest string) error {
	algorithm, sum, found := strings.Cut(digest, ":")
	switch length, known := hexDigits[algorithm]; {
	case !found:
		return nil
	case !known && strings.ToLower(algorithm) == algorithm:
		return errors.New("unsupported digest algorithm")
	case known && len(sum) != length:
		return errors.New("invalid checksum digest length")
	case !known || strings.ToLower(sum) != sum:
		return errors.New("invalid checksum digest format")
	}
	return nil
}
