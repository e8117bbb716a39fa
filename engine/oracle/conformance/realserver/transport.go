package realserver

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// late is a handler that is known only after those who call it are made.
type late struct{ handler atomic.Value }

func (l *late) open(h http.Handler) { l.handler.Store(&h) }

// ServeHTTP implements http.Handler.
func (l *late) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*l.handler.Load().(*http.Handler)).ServeHTTP(w, r)
}

// transport calls a handler instead of sending requests: a socket would stop the bubble's clock.
type transport struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper. The answer's body is read while the handler writes it.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	r := req.Clone(req.Context())
	r.RequestURI, r.RemoteAddr, r.Host = req.URL.RequestURI(), "127.0.0.1:40000", "judge"
	if r.Body == nil {
		r.Body = http.NoBody
	}
	reader, pipe := io.Pipe()
	w := &writer{header: http.Header{}, pipe: pipe, begun: make(chan struct{})}
	go func() {
		defer pipe.Close()
		defer w.WriteHeader(http.StatusOK)
		t.handler.ServeHTTP(w, r)
	}()
	select {
	case <-w.begun:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	b := &body{PipeReader: reader, closed: make(chan struct{})}
	go func() {
		select {
		case <-req.Context().Done():
			reader.CloseWithError(req.Context().Err())
		case <-b.closed:
		}
	}()
	return &http.Response{StatusCode: w.code, Status: fmt.Sprint(w.code, " ", http.StatusText(w.code)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: b, ContentLength: -1, Request: req}, nil
}

// body is what a client reads of an answer.
type body struct {
	*io.PipeReader
	once   sync.Once
	closed chan struct{}
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.PipeReader.Close()
}

// writer is what a handler writes an answer to.
type writer struct {
	header, sent http.Header
	pipe         *io.PipeWriter
	once         sync.Once
	code         int
	begun        chan struct{}
}

// Header implements http.ResponseWriter.
func (w *writer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(code int) {
	w.once.Do(func() {
		w.code, w.sent = code, w.header.Clone()
		close(w.begun)
	})
}

// Write implements http.ResponseWriter.
func (w *writer) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(b)
}

// Flush implements http.Flusher: watches need it.
func (w *writer) Flush() { w.WriteHeader(http.StatusOK) }

// CloseNotify implements http.CloseNotifier, without which there is no watch. Nobody hangs up.
func (w *writer) CloseNotify() <-chan bool { return make(chan bool) }

// SetReadDeadline and SetWriteDeadline are what http.ResponseController asks for; nothing here is slow.

func (w *writer) SetReadDeadline(time.Time) error  { return nil }
func (w *writer) SetWriteDeadline(time.Time) error { return nil }
