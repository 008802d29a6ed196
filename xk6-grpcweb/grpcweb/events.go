package grpcweb

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// The events of a stream. The first three are those of k6/net/grpc.
const (
	eventData     = "data"
	eventError    = "error"
	eventEnd      = "end"
	eventMetadata = "metadata"
	eventStatus   = "status"
)

var events = []string{eventData, eventError, eventEnd, eventMetadata, eventStatus}

var eventNames = strings.Join(events, ", ")

// listeners are a stream's handlers by event.
type listeners map[string][]sobek.Callable

// add returns false for an event that does not exist.
func (l listeners) add(event string, handler sobek.Callable) bool {
	if !slices.Contains(events, event) {
		return false
	}
	l[event] = append(l[event], handler)
	return true
}

// emit calls the handlers of an event with a value and the time in seconds.
func (s *Stream) emit(event string, value sobek.Value) error {
	handlers := s.listeners[event]
	if len(handlers) == 0 {
		return nil
	}
	rt := s.instance.vu.Runtime()
	meta := rt.NewObject()
	if err := meta.Set("ts", time.Now().Unix()); err != nil {
		return fmt.Errorf("event %s: %w", event, err)
	}
	for _, handler := range handlers {
		if _, err := handler(sobek.Undefined(), value, meta); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stream) emitMetadata(headers wire.Metadata) error {
	return s.emit(eventMetadata, s.instance.values.metadata(headers))
}

func (s *Stream) emitData(message streamMessage) error {
	rt := s.instance.vu.Runtime()
	switch {
	case len(s.listeners[eventData]) == 0:
		return nil
	case message.message != nil:
		value, err := s.instance.values.decoder(s.client.types).message(message.message)
		if err != nil {
			return err
		}
		return s.emit(eventData, value)
	case message.binary != nil:
		return s.emit(eventData, rt.ToValue(rt.NewArrayBuffer(message.binary)))
	default:
		return s.emit(eventData, rt.NewObject()) // as in k6/net/grpc: an empty object, not null
	}
}

// emitEnd tells how a stream ended: error if it failed, then status, then end.
func (s *Stream) emitEnd(status wire.Status, trailers wire.Metadata) error {
	values := s.instance.values
	value, err := values.status(s.client.types, status)
	if err != nil {
		return err
	}
	object := value.ToObject(values.rt)
	if status.Code != wire.OK {
		if len(s.listeners[eventError]) == 0 {
			s.instance.vu.State().Logger.Warnf("no handlers for error registered, but an error happened: %s", statusError(status))
		}
		if err := s.emit(eventError, object); err != nil {
			return err
		}
	}
	if err := object.Set("trailers", values.metadata(trailers)); err != nil {
		return fmt.Errorf("event %s: %w", eventStatus, err)
	}
	if err := s.emit(eventStatus, object); err != nil {
		return err
	}
	return s.emit(eventEnd, values.rt.NewObject())
}
