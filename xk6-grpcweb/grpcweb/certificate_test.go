package grpcweb_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// keyPassword decrypts the third text of selfSigned.
const keyPassword = "secret"

// selfSigned returns a client certificate, its key, and the key encrypted, all in PEM.
func selfSigned(t testing.TB) (certificate, key, encrypted string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "virtual user"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	encoded, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encodedKey, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	const keyType = "EC PRIVATE KEY"
	//lint:ignore SA1019 it makes what the parameter password is for
	block, err := x509.EncryptPEMBlock(rand.Reader, keyType, encodedKey, []byte(keyPassword), x509.PEMCipherAES256)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encoded})),
		string(pem.EncodeToMemory(&pem.Block{Type: keyType, Bytes: encodedKey})),
		string(pem.EncodeToMemory(block))
}
