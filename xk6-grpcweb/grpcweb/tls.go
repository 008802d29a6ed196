package grpcweb

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/grafana/sobek"
)

// tlsParams are the entries of connect's tls object, in PEM.
type tlsParams struct {
	cert, key, password string
	cacerts             []string
}

func (i *instance) tlsParams(value sobek.Value) (tlsParams, error) {
	var params tlsParams
	if _, ok := value.Export().(map[string]any); !ok {
		return params, fmt.Errorf("invalid tls value: '%v', it needs to be an object", value)
	}
	err := i.eachParam(value, func(key string, value sobek.Value) (err error) {
		switch key {
		case "cert":
			params.cert, err = text("tls cert", value)
		case "key":
			params.key, err = text("tls key", value)
		case "password":
			params.password, err = text("tls password", value)
		case "cacerts":
			params.cacerts, err = i.texts("tls cacerts", value)
		default:
			err = fmt.Errorf("unknown tls param: %q", key)
		}
		return err
	})
	return params, err
}

// texts reads a string or an array of strings.
func (i *instance) texts(param string, value sobek.Value) ([]string, error) {
	switch content := value.Export().(type) {
	case string:
		return []string{content}, nil
	case []any:
		texts := make([]string, 0, len(content))
		for _, entry := range content {
			one, ok := entry.(string)
			if !ok {
				return nil, fmt.Errorf("invalid %s value: '%v', it needs to be a string or an array of strings", param, entry)
			}
			texts = append(texts, one)
		}
		return texts, nil
	default:
		return nil, fmt.Errorf("invalid %s value: '%v', it needs to be a string or an array of strings", param, value)
	}
}

func (p tlsParams) empty() bool {
	return p.cert == "" && p.key == "" && len(p.cacerts) == 0
}

// digest tells settings apart without keeping keys about.
func (p tlsParams) digest() digest {
	return sha256.Sum256([]byte(strings.Join(append([]string{p.cert, p.key, p.password}, p.cacerts...), "\x00")))
}

// config builds on the virtual user's settings. As in k6/net/grpc, a client certificate or roots of
// one's own leave out the certificates of the option tlsAuth.
func (p tlsParams) config(base *tls.Config, authority string) (*tls.Config, error) {
	if base == nil {
		base = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config := base.Clone()
	if authority != "" {
		config.ServerName = hostOf(authority)
	}
	if p.empty() {
		return config, nil
	}
	config = &tls.Config{
		CipherSuites:       config.CipherSuites,
		InsecureSkipVerify: config.InsecureSkipVerify, // #nosec G402 -- the user's option
		MinVersion:         config.MinVersion,
		MaxVersion:         config.MaxVersion,
		Renegotiation:      config.Renegotiation,
		ServerName:         config.ServerName,
	}
	if err := p.addCertificate(config); err != nil {
		return nil, err
	}
	return config, p.addRoots(config)
}

func (p tlsParams) addCertificate(config *tls.Config) error {
	if p.cert == "" && p.key == "" {
		return nil
	}
	key := []byte(p.key)
	if p.password != "" {
		var err error
		if key, err = decryptKey(key, p.password); err != nil {
			return err
		}
	}
	certificate, err := tls.X509KeyPair([]byte(p.cert), key)
	if err != nil {
		return fmt.Errorf("tls cert and key: %w", err)
	}
	config.Certificates = []tls.Certificate{certificate}
	return nil
}

func (p tlsParams) addRoots(config *tls.Config) error {
	if len(p.cacerts) == 0 {
		return nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return fmt.Errorf("system roots: %w", err)
	}
	for n, cacert := range p.cacerts {
		if !roots.AppendCertsFromPEM([]byte(cacert)) {
			return fmt.Errorf("tls cacerts: entry %d holds no certificate in PEM", n)
		}
	}
	config.RootCAs = roots
	return nil
}

// decryptKey undoes the encryption inside PEM, which is what the parameter password is about in
// k6/net/grpc.
func decryptKey(key []byte, password string) ([]byte, error) {
	block, _ := pem.Decode(key)
	if block == nil {
		return nil, errors.New("tls key: not in PEM")
	}
	if block.Type == "ENCRYPTED PRIVATE KEY" {
		return nil, errors.New("tls key: encrypted PKCS#8 keys are not supported; decrypt it with openssl pkcs8")
	}
	//lint:ignore SA1019 what is encrypted like that is in use, and k6/net/grpc reads it
	content, err := x509.DecryptPEMBlock(block, []byte(password))
	if err != nil {
		return nil, fmt.Errorf("tls key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: content}), nil
}

func hostOf(authority string) string {
	if host, _, err := net.SplitHostPort(authority); err == nil {
		return host
	}
	return authority
}
